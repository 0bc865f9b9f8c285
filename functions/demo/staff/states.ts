/** The states of a quote as the desk names them: of an order, how far it is. */
import type { Quote } from '../supabase.ts';

interface State {
  label: string;
  /** The heading above it. */
  group: 'To do' | 'With the customer' | 'Closed' | 'More';
  status?: Quote['status'];
  /** Null before the first step of an order. */
  fulfillment?: Quote['fulfillment_status'];
  /** The column by which the list is ordered. Those waiting longest come first, and of what is closed, the newest. */
  order: 'submitted_at' | 'quoted_at' | 'approved_at' | 'created_at' | 'deleted_at';
  newestFirst?: boolean;
}

const ordered = { group: 'To do', status: 'ordered', order: 'approved_at' } as const;
const closed = { group: 'Closed', order: 'created_at', newestFirst: true } as const;

export const states = {
  submitted: { label: 'To price', group: 'To do', status: 'submitted', order: 'submitted_at' },
  approved: { label: 'To order', group: 'To do', status: 'approved', order: 'approved_at' },
  ordered: { label: 'Ordered', ...ordered, fulfillment: null },
  reviewing: { label: 'Reviewing', ...ordered, fulfillment: 'reviewing' },
  preparing: { label: 'Preparing', ...ordered, fulfillment: 'preparing' },
  shipping: { label: 'Shipping', ...ordered, fulfillment: 'shipping' },
  quoted: { label: 'Quoted', group: 'With the customer', status: 'quoted', order: 'quoted_at' },
  draft: {
    ...{ label: 'Drafts', group: 'With the customer', status: 'draft' },
    ...{ order: 'created_at', newestFirst: true },
  },
  delivered: { label: 'Delivered', ...closed, status: 'ordered', fulfillment: 'delivered' },
  rejected: { label: 'Rejected', ...closed, status: 'rejected' },
  expired: { label: 'Expired', ...closed, status: 'expired' },
  cancelled: { label: 'Cancelled', ...closed, status: 'cancelled' },
  deleted: { label: 'Deleted', group: 'More', order: 'deleted_at', newestFirst: true },
  all: { label: 'All', group: 'More', order: 'created_at', newestFirst: true },
} satisfies Record<string, State>;

export type StateName = keyof typeof states;

export const stateNames = Object.keys(states) as StateName[];

export const isStateName = (name: string): name is StateName => Object.hasOwn(states, name);

/** Returns a state with its optional properties. */
export const stateOf = (name: StateName): State => states[name];

/** Returns the state of a quote; undefined for one that this desk doesn't know. */
export function nameOfState({ status, fulfillment_status }: Pick<Quote, 'status' | 'fulfillment_status'>) {
  return stateNames.find(name => {
    const state = stateOf(name);
    return state.status === status && (status !== 'ordered' || state.fulfillment === fulfillment_status);
  });
}
