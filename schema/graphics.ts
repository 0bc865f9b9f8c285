import { defineCollection, fixed, nullable, required } from './collection.ts';
import {
  boolean,
  count,
  graphicCode,
  integer,
  oneOf,
  stamped,
  text,
  textArray,
  timestamptz,
  uuid,
} from './types.ts';
import { url } from './web-address.ts';

/** Everyone may read the library (the policy allows active graphics only), and staff maintain it. */
const readable = { anon: ['select'], customer: ['select'] } as const;

export const graphics = defineCollection({
  name: 'graphics',
  meaning: 'A library of logos and graphic assets that the builder offers.',
  primaryKey: 'id',
  softDelete: 'deleted_at',
  changedAt: 'updated_at',
  unique: { graphics_code_key: 'code' },
  checks: {
    code_is_capital_letters_digits_dashes_and_underscores: {
      columns: ['code'],
      expected: 'a code of capital letters, digits, dashes and underscores',
    },
    code_has_at_most_100_bytes: { columns: ['code'], expected: 'a text of at most 100 bytes' },
    name_has_at_most_500_bytes: { columns: ['name'], expected: 'a text of at most 500 bytes' },
    description_has_at_most_10000_bytes: {
      columns: ['description'],
      expected: 'a text of at most 10000 bytes',
    },
    tags_are_at_most_100_of_4000_bytes: {
      columns: ['tags'],
      expected: 'at most 100 texts of at most 4000 bytes together',
    },
    file_url_is_an_http_url: { columns: ['file_url'], expected: 'an http or https URL' },
    file_format_is_known: { columns: ['file_format'], expected: 'one of jpg, png, svg, webp' },
    file_size_is_not_negative: { columns: ['file_size'], expected: 'a number that is not negative' },
    width_is_not_negative: { columns: ['width'], expected: 'a number that is not negative' },
    height_is_not_negative: { columns: ['height'], expected: 'a number that is not negative' },
  },
  deletableBy: ['staff'],
  cachedFor: ['anon', 'customer'],
  columns: {
    id: required(uuid, 'Identifier.', { ...fixed, ...readable, default: 'gen_random_uuid()' }),
    name: required(text(500), 'Display name of the graphic.', { ...readable, example: 'Tiger head' }),
    code: required(graphicCode, 'Unique uppercase identifier, for example in the form MAIN-LOGO.', {
      ...readable,
      example: 'TIGER-HEAD',
    }),
    category_id: nullable(uuid, 'Reference to a graphic category, for filtering.', readable),
    file_url: required(url, 'Public object-storage URL in the library/ folder.', {
      ...readable,
      example: 'https://storage.example.com/library/tiger-head.png',
    }),
    file_format: required(oneOf('jpg', 'png', 'svg', 'webp'), 'Format of the file.', {
      ...readable,
      example: 'png',
    }),
    file_size: nullable(count, 'File size in bytes.', readable),
    width: nullable(count, 'Width in pixels; null for SVG.', readable),
    height: nullable(count, 'Height in pixels; null for SVG.', readable),
    description: nullable(text(10_000), 'Optional description or notes.', readable),
    tags: nullable(textArray(100, 4000), 'Free-form tags for finer filtering.', readable),
    is_active: required(boolean, 'Whether the graphic is active/enabled.', { ...readable, default: 'true' }),
    sort_order: required(integer, 'Display order.', { ...readable, default: '0' }),
    created_by: nullable(uuid, 'Creator reference.', readable),
    created_at: nullable(timestamptz, 'Creation time.', { ...readable, ...stamped }),
    updated_at: nullable(timestamptz, 'Last update time.', { ...readable, ...stamped }),
    deleted_at: nullable(timestamptz, 'Soft-delete timestamp.', readable),
  },
});
