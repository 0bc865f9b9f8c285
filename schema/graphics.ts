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
  checks: {},
  deletableBy: ['staff'],
  restorableBy: ['staff'],
  cached: { audiences: ['anon', 'customer'], seconds: 30, setting: 'GRAPHICS_CACHE_SECONDS' },
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
