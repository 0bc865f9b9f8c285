/** Mostly checked by the compiler: nothing here is sent. */
import { createClient } from '@supabase/supabase-js';
import { describe, expect, expectTypeOf, it } from 'vitest';
import WebSocket from 'ws';
import type { definitions } from '../../schema/collections.ts';
import { type Database, type Issue, issuesOf, type Json } from '../../schema/database.ts';

type Tables = Database['public']['Tables'];
type Quote = Tables['quotes']['Row'];

const supabase = createClient<Database>('http://localhost', 'key', {
  realtime: { transport: WebSocket as never },
});
type Rows<Query extends PromiseLike<{ data: unknown }>> = NonNullable<Awaited<Query>['data']>;

const newQuote = {
  account_id: 'c0000000-0000-4000-8000-000000000001',
  quote_number: 'QT-2026-00001',
  product_id: 'c0000000-0000-4000-8000-000000000002',
  sport: 'golf',
  customization: { team: 'Lions' },
};

describe('the Database type', () => {
  it('has the collections, and no other', () => {
    expectTypeOf<keyof Tables>().toEqualTypeOf<(typeof definitions)[number]['name']>();
  });

  it('types a row as the schema does: values, nullability, JSON', () => {
    expectTypeOf<Quote['status']>().toEqualTypeOf<
      'draft' | 'submitted' | 'quoted' | 'approved' | 'rejected' | 'expired' | 'ordered' | 'cancelled'
    >();
    expectTypeOf<Quote['customization']>().toEqualTypeOf<Json>();
    expectTypeOf<NonNullable<Quote['colors']>['accent2']>().toEqualTypeOf<string | null | undefined>();
    expectTypeOf<Tables['notifications']['Row']['id']>().toEqualTypeOf<number>();
    expectTypeOf<Tables['graphics']['Row']['tags']>().toEqualTypeOf<string[] | null>();
  });

  it('has no null in the times that the database sets, of a row; a new row and a change may have it', () => {
    expectTypeOf<Quote['created_at' | 'updated_at']>().toEqualTypeOf<string>();
    expectTypeOf<Tables['graphics']['Row']['created_at' | 'updated_at']>().toEqualTypeOf<string>();
    expectTypeOf<Tables['quotes']['Insert']['created_at']>().toEqualTypeOf<string | null | undefined>();
    expectTypeOf<Tables['quotes']['Update']['updated_at']>().toEqualTypeOf<string | null | undefined>();
  });

  it('requires of a new row the columns that are not nullable and have no default', () => {
    type Required<T> = { [K in keyof T]-?: Record<never, never> extends Pick<T, K> ? never : K }[keyof T];
    expectTypeOf<Required<Tables['quotes']['Insert']>>().toEqualTypeOf<keyof typeof newQuote>();
    expectTypeOf<Required<Tables['quotes']['Update']>>().toBeNever();
  });
});

describe('supabase-js with the Database type', () => {
  it('knows the columns that a select names, and their types', () => {
    const query = supabase.from('quotes').select('id, status, total:total_price, design_id');
    expectTypeOf<Rows<typeof query>[number]>().toEqualTypeOf<{
      id: string;
      status: Quote['status'];
      total: number | null;
      design_id: string | null;
    }>();
  });

  it('knows what a path into JSON selects, however deep', () => {
    const query = supabase
      .from('quotes')
      .select(
        'jersey:customization->jersey, a:customization->a->b->c->d->>e, colors->>primary, m:size_breakdown->M',
      )
      .eq('customization->jersey->>text', 'Tigers')
      .order('customization->jersey->>text');
    type Selected = { jersey: Json; a: string; primary: string; m: number };
    expectTypeOf<Rows<typeof query>[number]>().toEqualTypeOf<Selected>();
  });

  it('refuses an unknown collection, column or value', () => {
    // @ts-expect-error there is no such collection
    supabase.from('orders');
    // @ts-expect-error there is no such column
    supabase.from('quotes').select('id').eq('state', 'draft');
    // @ts-expect-error no quote has this status
    supabase.from('quotes').update({ status: 'lost' });
    const query = supabase.from('quotes').select('id, prize');
    expectTypeOf<Rows<typeof query>[number]>().not.toHaveProperty('prize');
  });

  it('refuses a new row without a required column, or with an invalid value', () => {
    supabase.from('quotes').insert(newQuote);
    supabase.from('quotes').insert([{ ...newQuote, unit_price: null, colors: { primary: '#fff' } }]);
    const { sport: _, ...incomplete } = newQuote;
    // @ts-expect-error sport is missing
    supabase.from('quotes').insert(incomplete);
    // @ts-expect-error sport may not be null
    supabase.from('quotes').insert({ ...newQuote, sport: null });
    // @ts-expect-error colors has no such key
    supabase.from('quotes').insert({ ...newQuote, colors: { fourth: '#fff' } });
  });
});

describe('issuesOf', () => {
  it('returns the invalid fields that an error lists, and none of any other', () => {
    const issue: Issue = {
      path: 'sport',
      expected: 'a text',
      received: '1',
      message: 'sport must be a text.',
    };
    expect(issuesOf({ code: '22P02', issues: [issue] })).toEqual([issue]);
    expect([null, undefined, 'text', new Error('lost')].map(issuesOf)).toEqual([[], [], [], []]);
  });
});
