/** The types for createClient<Database>() of supabase-js, as a caller of the kind staff needs them. */
export type Database = {
  /** The PostgREST version, by which supabase-js knows the supported features (`maxAffected`). */
  __InternalSupabase: { PostgrestVersion: '14' };
  public: {
    Tables: {
      quotes: {
        Row: {
          /** Identifier. */
          id: string;
          /** Reference to an account (personal or team) that owns the quote; not the nil uuid. */
          account_id: string;
          /** Human-readable reference number in the form QT-<year>-<5 digits>. */
          quote_number: string;
          /** Workflow state. To approve, also send the total_price or quoted_at that was read: it is 409 if the offer has changed. */
          status: 'draft' | 'submitted' | 'quoted' | 'approved' | 'rejected' | 'expired' | 'ordered' | 'cancelled';
          /** Reference to the product being customized. */
          product_id: string;
          /** Reference to the selected design template; may be null in the draft state. */
          design_id: string | null;
          /** Sport category taken from the builder route (for example baseball, basketball). */
          sport: string;
          /** Full builder data snapshot; the source of truth for colors, text, graphics, roster and number styling. */
          customization: Json;
          /** Denormalized color selections with keys primary, secondary, accent, accent2, accent3. */
          colors: Json | null;
          /** Denormalized total number of players/units, used for sorting and pricing. */
          roster_count: number | null;
          /** Aggregated quantity per size; keys are size labels and values are counts. */
          size_breakdown: Record<string, number> | null;
          /** Object-storage URL of the rendered 2D front preview image. */
          preview_front_url: string | null;
          /** Object-storage URL of the rendered 2D back preview image. */
          preview_back_url: string | null;
          /** Free-text notes from the customer (special requests, delivery instructions). */
          customer_notes: string | null;
          /** Admin-only notes; never exposed to the customer. */
          internal_notes: string | null;
          /** Quoted price per unit; filled when status moves to quoted. */
          unit_price: number | null;
          /** Total quote price; filled when status moves to quoted. In an approval, the price that was read. */
          total_price: number | null;
          /** ISO 4217 currency code. */
          currency: string;
          /** When the customer submitted the quote for review. In a request that prices, what was read. */
          submitted_at: string | null;
          /** When an admin assigned pricing. In an approval, the offer that was read. */
          quoted_at: string | null;
          /** Reference to the authentication user (admin/sales) who provided the pricing; hidden from customers. */
          quoted_by: string | null;
          /** When the customer approved the quoted price. */
          approved_at: string | null;
          /** Quote expiration date; after it, the status becomes expired. */
          expires_at: string | null;
          /** How the quote originated. */
          source: 'builder' | 'csv_import' | 'duplicate' | 'admin_created';
          /** Creator reference. */
          created_by: string | null;
          /** Creation time. */
          created_at: string;
          /** Last update time. */
          updated_at: string;
          /** Soft-delete timestamp. */
          deleted_at: string | null;
          /** Order fulfillment state; only set when the status is ordered. */
          fulfillment_status: 'reviewing' | 'preparing' | 'shipping' | 'delivered' | null;
          /** Estimated delivery/arrival date of the order. */
          estimated_delivery_at: string | null;
          /** Customer contact name. */
          contact_name: string | null;
          /** Customer contact e-mail: one address, from the submission on. */
          contact_email: string | null;
          /** Customer contact phone number. */
          contact_phone: string | null;
          /** Keys street, city, state, zip, country. */
          shipping_address: Json | null;
          /** Customer company name. */
          company: string | null;
          /** Event date; matters for sports season deadlines. */
          event_date: string | null;
          /** Whether this is a rush/priority order. */
          rush_order: boolean | null;
          /** Delivery preference. */
          delivery_method: 'standard' | 'express' | 'pickup' | null;
          /** Keys street, city, state, zip, country. */
          billing_address: Json | null;
          /** Free text; the specification defines no meaning. */
          tool_2d: string | null;
          /** Free text; the specification defines no meaning. */
          techpack_file: string | null;
          /** Object-storage URL of the AI-generated product fit (mannequin/avatar) image. */
          avatar_preview: string | null;
        };
        Insert: {
          id?: string;
          account_id: string;
          quote_number: string;
          status?: 'draft' | 'submitted' | 'quoted' | 'approved' | 'rejected' | 'expired' | 'ordered' | 'cancelled';
          product_id: string;
          design_id?: string | null;
          sport: string;
          customization: Json;
          colors?: Json | null;
          roster_count?: number | null;
          size_breakdown?: Record<string, number> | null;
          preview_front_url?: string | null;
          preview_back_url?: string | null;
          customer_notes?: string | null;
          internal_notes?: string | null;
          unit_price?: number | null;
          total_price?: number | null;
          currency?: string;
          submitted_at?: string | null;
          quoted_at?: string | null;
          quoted_by?: string | null;
          approved_at?: string | null;
          expires_at?: string | null;
          source?: 'builder' | 'csv_import' | 'duplicate' | 'admin_created';
          created_by?: string | null;
          created_at?: string | null;
          updated_at?: string | null;
          deleted_at?: string | null;
          fulfillment_status?: 'reviewing' | 'preparing' | 'shipping' | 'delivered' | null;
          estimated_delivery_at?: string | null;
          contact_name?: string | null;
          contact_email?: string | null;
          contact_phone?: string | null;
          shipping_address?: Json | null;
          company?: string | null;
          event_date?: string | null;
          rush_order?: boolean | null;
          delivery_method?: 'standard' | 'express' | 'pickup' | null;
          billing_address?: Json | null;
          tool_2d?: string | null;
          techpack_file?: string | null;
          avatar_preview?: string | null;
        };
        Update: {
          id?: string;
          account_id?: string;
          quote_number?: string;
          status?: 'draft' | 'submitted' | 'quoted' | 'approved' | 'rejected' | 'expired' | 'ordered' | 'cancelled';
          product_id?: string;
          design_id?: string | null;
          sport?: string;
          customization?: Json;
          colors?: Json | null;
          roster_count?: number | null;
          size_breakdown?: Record<string, number> | null;
          preview_front_url?: string | null;
          preview_back_url?: string | null;
          customer_notes?: string | null;
          internal_notes?: string | null;
          unit_price?: number | null;
          total_price?: number | null;
          currency?: string;
          submitted_at?: string | null;
          quoted_at?: string | null;
          quoted_by?: string | null;
          approved_at?: string | null;
          expires_at?: string | null;
          source?: 'builder' | 'csv_import' | 'duplicate' | 'admin_created';
          created_by?: string | null;
          created_at?: string | null;
          updated_at?: string | null;
          deleted_at?: string | null;
          fulfillment_status?: 'reviewing' | 'preparing' | 'shipping' | 'delivered' | null;
          estimated_delivery_at?: string | null;
          contact_name?: string | null;
          contact_email?: string | null;
          contact_phone?: string | null;
          shipping_address?: Json | null;
          company?: string | null;
          event_date?: string | null;
          rush_order?: boolean | null;
          delivery_method?: 'standard' | 'express' | 'pickup' | null;
          billing_address?: Json | null;
          tool_2d?: string | null;
          techpack_file?: string | null;
          avatar_preview?: string | null;
        };
        Relationships: [];
      };
      graphics: {
        Row: {
          /** Identifier. */
          id: string;
          /** Display name of the graphic. */
          name: string;
          /** Unique uppercase identifier, for example in the form MAIN-LOGO. */
          code: string;
          /** Reference to a graphic category, for filtering. */
          category_id: string | null;
          /** Public object-storage URL in the library/ folder. */
          file_url: string;
          /** Format of the file. */
          file_format: 'jpg' | 'png' | 'svg' | 'webp';
          /** File size in bytes. */
          file_size: number | null;
          /** Width in pixels; null for SVG. */
          width: number | null;
          /** Height in pixels; null for SVG. */
          height: number | null;
          /** Optional description or notes. */
          description: string | null;
          /** Free-form tags for finer filtering. */
          tags: string[] | null;
          /** Whether the graphic is active/enabled. */
          is_active: boolean;
          /** Display order. */
          sort_order: number;
          /** Creator reference. */
          created_by: string | null;
          /** Creation time. */
          created_at: string;
          /** Last update time. */
          updated_at: string;
          /** Soft-delete timestamp. */
          deleted_at: string | null;
        };
        Insert: {
          id?: string;
          name: string;
          code: string;
          category_id?: string | null;
          file_url: string;
          file_format: 'jpg' | 'png' | 'svg' | 'webp';
          file_size?: number | null;
          width?: number | null;
          height?: number | null;
          description?: string | null;
          tags?: string[] | null;
          is_active?: boolean;
          sort_order?: number;
          created_by?: string | null;
          created_at?: string | null;
          updated_at?: string | null;
          deleted_at?: string | null;
        };
        Update: {
          id?: string;
          name?: string;
          code?: string;
          category_id?: string | null;
          file_url?: string;
          file_format?: 'jpg' | 'png' | 'svg' | 'webp';
          file_size?: number | null;
          width?: number | null;
          height?: number | null;
          description?: string | null;
          tags?: string[] | null;
          is_active?: boolean;
          sort_order?: number;
          created_by?: string | null;
          created_at?: string | null;
          updated_at?: string | null;
          deleted_at?: string | null;
        };
        Relationships: [];
      };
      notifications: {
        Row: {
          /** Identifier. */
          id: number;
          /** Reference to the account the notification is for; the nil uuid addresses everyone (a system message). */
          account_id: string;
          /** Kind of notification. */
          type: Database['public']['Enums']['notification_type'];
          /** Body of the notification. */
          body: string;
          /** Link for the notification. */
          link: string | null;
          /** How it is delivered. */
          channel: Database['public']['Enums']['notification_channel'];
          /** Whether the notification has been dismissed. */
          dismissed: boolean;
          /** Expiry date; one month after creation when left out. */
          expires_at: string | null;
          /** Creation date. */
          created_at: string;
        };
        Insert: {
          id?: number;
          account_id: string;
          type?: Database['public']['Enums']['notification_type'];
          body: string;
          link?: string | null;
          channel?: Database['public']['Enums']['notification_channel'];
          dismissed: boolean;
          expires_at?: string | null;
          created_at?: string;
        };
        Update: {
          id?: number;
          account_id?: string;
          type?: Database['public']['Enums']['notification_type'];
          body?: string;
          link?: string | null;
          channel?: Database['public']['Enums']['notification_channel'];
          dismissed?: boolean;
          expires_at?: string | null;
          created_at?: string;
        };
        Relationships: [];
      };
      quote_events: {
        Row: {
          /** Identifier. */
          id: number;
          /** The quote that was changed. */
          quote_id: string;
          /** The account that owned the quote then. */
          account_id: string;
          /** `quote.` and the status or fulfillment status that was reached, or repriced, changed, amended, end_changed, delivery_changed, expiring, deleted, restored, corrected. */
          event: string;
          /** The status of the quote then. */
          status: 'draft' | 'submitted' | 'quoted' | 'approved' | 'rejected' | 'expired' | 'ordered' | 'cancelled';
          /** The status before; null when the quote was created with this status. */
          previous_status: 'draft' | 'submitted' | 'quoted' | 'approved' | 'rejected' | 'expired' | 'ordered' | 'cancelled' | null;
          /** The fulfillment state then. */
          fulfillment_status: 'reviewing' | 'preparing' | 'shipping' | 'delivered' | null;
          /** The price per unit then. */
          unit_price: number | null;
          /** The total price then. */
          total_price: number | null;
          /** The ISO 4217 currency code then. */
          currency: string;
          /** The end of the offer then. */
          expires_at: string | null;
          /** The number of the offer then, in quote_offers; null without a price. */
          offer: number | null;
          /** Whether a message about it was written to the account. */
          notified: boolean;
          /** When it was changed. */
          created_at: string;
          /** The user who made the change, if a customer. */
          created_by: string | null;
          /** Who made the change: a customer, staff, a service (the secret key, or an operator), or the sweep. */
          created_as: 'customer' | 'staff' | 'service' | 'sweep';
          /** The user who made the change, if staff; hidden from customers. */
          staff_id: string | null;
          /** The link by which it was made, in quote_links. */
          link_id: string | null;
          /** The name that was given with the link. */
          signer: string | null;
          /** What was said with it. */
          said: string | null;
        };
        Insert: never;
        Update: never;
        Relationships: [{
          foreignKeyName: 'quote_events_quote_id_fkey';
          columns: ['quote_id', 'offer'];
          isOneToOne: false;
          referencedRelation: 'quotes';
          referencedColumns: ['id'];
        }];
      };
      quote_offers: {
        Row: {
          /** Identifier. */
          id: number;
          /** The quote that was offered. */
          quote_id: string;
          /** The account that owns the quote. */
          account_id: string;
          /** The number of the offer among those of its quote, from 1. */
          number: number;
          /** The price per unit. */
          unit_price: number | null;
          /** The total price. */
          total_price: number | null;
          /** The ISO 4217 currency code. */
          currency: string;
          /** The product. */
          product_id: string;
          /** The design template. */
          design_id: string | null;
          /** The sport. */
          sport: string;
          /** The design, with its roster. */
          customization: Json;
          /** The colors. */
          colors: Json | null;
          /** The number of players or units. */
          roster_count: number | null;
          /** The quantity of each size. */
          size_breakdown: Record<string, number> | null;
          /** Whether it was a rush order. */
          rush_order: boolean | null;
          /** The front preview image then. It is not one of the terms. */
          preview_front_url: string | null;
          /** The back preview image then. It is not one of the terms. */
          preview_back_url: string | null;
          /** When it was offered. */
          created_at: string;
          /** Who set the terms: a customer, staff, a service (the secret key, or an operator), or the sweep. */
          created_as: 'customer' | 'staff' | 'service' | 'sweep';
        };
        Insert: never;
        Update: never;
        Relationships: [{
          foreignKeyName: 'quote_offers_quote_id_fkey';
          columns: ['quote_id', 'unit_price'];
          isOneToOne: false;
          referencedRelation: 'quotes';
          referencedColumns: ['id'];
        }];
      };
      quote_links: {
        Row: {
          /** Identifier. */
          id: string;
          /** The quote whose offer it opens. */
          quote_id: string;
          /** The account that owned the quote when it was shared. */
          account_id: string;
          /** Whether its holder only reads the offer, or may also approve it, decline it or ask for changes. */
          may: 'read' | 'approve';
          /** For whom it is. */
          label: string | null;
          /** Whether it shows the names of players. */
          roster: boolean;
          /** When it was made. */
          created_at: string;
          /** The user who made it, if a customer. */
          created_by: string | null;
          /** Who made it: a customer, staff, a service (the secret key, or an operator), or the sweep, for a mail. */
          created_as: 'customer' | 'staff' | 'service' | 'sweep';
          /** When it ends. */
          ends_at: string;
          /** When it was revoked. */
          revoked_at: string | null;
          /** When its page was last requested, to the hour. */
          opened_at: string | null;
        };
        Insert: never;
        Update: never;
        Relationships: [{
          foreignKeyName: 'quote_links_quote_id_fkey';
          columns: ['quote_id', 'label'];
          isOneToOne: false;
          referencedRelation: 'quotes';
          referencedColumns: ['id'];
        }];
      };
      deliveries: {
        Row: {
          /** Identifier. */
          id: number;
          /** Creation time. */
          created_at: string;
          /** Time of the next attempt; null when there is none. */
          due_at: string | null;
          /** Number of attempts so far. */
          attempts: number;
          /** Waiting for an attempt, being sent, sent, skipped because it was obsolete, or failed permanently (dead). */
          state: 'waiting' | 'sending' | 'sent' | 'skipped' | 'dead';
          /** Why it waits, was skipped or failed; for a sent delivery, why its arrival is uncertain. */
          reason: string | null;
          /** When it was sent, skipped or given up. */
          settled_at: string | null;
          /** The account that it concerns. */
          account_id: string;
          /** The notification that the e-mail contains. */
          notification_id: number | null;
          /** The webhook that is called. */
          webhook_id: string | null;
          /** The row of quote_events that it reports. */
          event_id: number | null;
          /** Time of the latest attempt. */
          attempted_at: string | null;
          /** The quote that it concerns; null for a call about several. */
          quote_id: string | null;
          /** An e-mail to an account, an e-mail to staff, or a webhook call. */
          kind: 'email' | 'staff_email' | 'webhook';
          /** The masked recipient of an e-mail. */
          recipient: string | null;
          /** The `webhook-id` of its call, or the first part of the Message-ID of its e-mail. */
          message_id: string;
        };
        Insert: never;
        Update: never;
        Relationships: [];
      };
    };
    Views: Record<never, never>;
    Functions: {
      next_quote_number: { Args: never; Returns: string };
      duplicate_quote: { Args: { id: string }; Returns: Database['public']['Tables']['quotes']['Row'] };
      share_quote: { Args: { id: string; may: 'read' | 'approve'; label?: string | null; roster?: boolean | null; ends_at?: string | null }; Returns: { id: string; url: string; token: string; ends_at: string } };
      redeliver: { Args: { id: number }; Returns: { id: number; state: string } };
    };
    Enums: {
      notification_type: 'info' | 'warning' | 'error';
      notification_channel: 'in_app' | 'email';
    };
    CompositeTypes: Record<never, never>;
  };
};

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

/** An invalid field of a body: an error of supabase-js has them as `issues`, unless it was thrown. */
export interface Issue { path: string; expected: string; received: string; message: string }

type Schema = Database['public'];
type NameIn<Kind extends keyof Schema> = keyof Schema[Kind] | { schema: 'public' };
type Part<Kind extends keyof Schema, Name, Inner> = Schema[Kind][Extract<Name | Inner, keyof Schema[Kind]>];

export type Tables<Name extends NameIn<'Tables'>, Inner extends keyof Schema['Tables'] = never> =
  Part<'Tables', Name, Inner>['Row'];
export type TablesInsert<Name extends NameIn<'Tables'>, Inner extends keyof Schema['Tables'] = never> =
  Part<'Tables', Name, Inner>['Insert'];
export type TablesUpdate<Name extends NameIn<'Tables'>, Inner extends keyof Schema['Tables'] = never> =
  Part<'Tables', Name, Inner>['Update'];
export type Enums<Name extends NameIn<'Enums'>, Inner extends keyof Schema['Enums'] = never> =
  Part<'Enums', Name, Inner>;
export type CompositeTypes<Name extends NameIn<'CompositeTypes'>, Inner extends keyof Schema['CompositeTypes'] = never> =
  Part<'CompositeTypes', Name, Inner>;

export const Constants = { public: { Enums: {
  notification_type: ['info', 'warning', 'error'],
  notification_channel: ['in_app', 'email'],
} } } as const;
