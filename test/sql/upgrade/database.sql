--
-- PostgreSQL database dump
--


-- Dumped from database version 15.18
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: builder; Type: SCHEMA; Schema: -; Owner: -
--

CREATE SCHEMA builder;


--
-- Name: notification_channel; Type: TYPE; Schema: builder; Owner: -
--

CREATE TYPE builder.notification_channel AS ENUM (
    'in_app',
    'email'
);


--
-- Name: notification_type; Type: TYPE; Schema: builder; Owner: -
--

CREATE TYPE builder.notification_type AS ENUM (
    'info',
    'warning',
    'error'
);


--
-- Name: account_ids(); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.account_ids() RETURNS uuid[]
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return array(select jsonb_array_elements_text(nullif(
    nullif(current_setting('request.jwt.claims', true), '')::jsonb -> 'app_metadata' -> 'account_ids', 'null'
  ))::uuid);
end
$$;


--
-- Name: account_mentions(uuid, text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.account_mentions(account uuid, email text) RETURNS TABLE(of_table text, of_column text, key text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select 'quotes', 'created_by', q.id::text from builder.quotes q where q.created_by = account and q.created_by <> q.account_id
  union all
  select 'quote_events', 'created_by', e.id::text from builder.quote_events e
    where e.created_by = account and e.created_by <> e.account_id
  union all
  select 'graphics', 'created_by', g.id::text from builder.graphics g where g.created_by = account
  union all
  select 'quotes', 'quoted_by', q.id::text from builder.quotes q where q.quoted_by = account
  union all
  select 'quote_events', 'staff_id', e.id::text from builder.quote_events e where e.staff_id = account
  union all
  select 'quotes', 'contact_email', q.id::text from builder.quotes q
    where lower(q.contact_email) = lower(email) and q.account_id <> account
  union all
  select 'deliveries', 'address', d.id::text from builder.deliveries d where d.address = lower(email) and d.account_id <> account
$$;


--
-- Name: account_rows(uuid); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.account_rows(account uuid) RETURNS TABLE(of_table text, content jsonb)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select 'quotes', to_jsonb(q) - 'quoted_by' from builder.quotes q where q.account_id = account
  union all
  select 'quote_events', to_jsonb(e) - 'staff_id' from builder.quote_events e where e.account_id = account
  union all
  select 'quote_offers', to_jsonb(o) from builder.quote_offers o where o.account_id = account
  union all
  select 'notifications', to_jsonb(n) from builder.notifications n where n.account_id = account
  union all
  select 'deliveries', to_jsonb(d) - case d.kind when 'staff_email' then '{address,recipient,reason}' else '{}' end::text[]
    from builder.deliveries d where d.account_id = account and (d.webhook_id is null or d.event_id is not null)
  union all
  select 'dismissals', to_jsonb(d) from builder.dismissals d where d.user_id = account
  union all
  select 'idempotency_keys', to_jsonb(k) - 'accounts'
      - case when k.caller like '% ' || account then '{}' else '{caller,key,fingerprint}' end::text[]
      - case when k.accounts <@ array[account] then '{}' else '{response}' end::text[]
    from builder.idempotency_keys k where k.caller like '% ' || account or k.accounts @> array[account]
  union all
  select 'unsubscribed_accounts', to_jsonb(m) from builder.unsubscribed_accounts m where m.account_id = account
  union all
  select 'refused_addresses', to_jsonb(r) from builder.refused_addresses r
    where r.address in (select d.address from builder.deliveries d where d.account_id = account and d.kind = 'email')
  union all
  select 'customer_quote_numbers', to_jsonb(n) from builder.customer_quote_numbers n where n.user_id = account
  union all
  select 'changes', to_jsonb(c) from builder.changes c where c.account_id = account or c.user_id = account
$$;


--
-- Name: accounts_of_callers(json); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.accounts_of_callers(callers json) RETURNS json
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  claims json;
  accounts json[] := '{}';
begin
  for claims in select json_array_elements(callers) loop
    perform set_config('request.jwt.claims', claims::text, true);
    accounts := accounts || to_json(builder.caller_account_ids());
  end loop;
  return to_json(accounts);
end
$$;


--
-- Name: announce_erasure(uuid); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.announce_erasure(account uuid) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  insert into builder.deliveries (kind, account_id, webhook_id, turn, due_at)
  select 'webhook', account, w.id, builder.next_turn(account, w.id), now() + interval '1 minute' from builder.webhooks w
  where w.disabled_at is null and (w.events is null or 'account.erased' = any (w.events)) and not exists (
    select from builder.deliveries d where d.account_id = account and d.webhook_id = w.id and d.event_id is null and d.due_at is not null
  )
$$;


--
-- Name: announce_expiring_quotes(integer); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.announce_expiring_quotes(batch integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  due uuid[];
  announced integer;
begin
  due := array(
    select q.id from builder.quotes q
    where q.status = 'quoted' and q.deleted_at is null and q.expires_at > now()
      and q.expires_at <= now() + (select s.value from builder.settings s where s.name = 'remind_before')
      and not builder.end_is_announced(q.id, q.expires_at)
    order by q.expires_at limit batch
    for update skip locked
  );
  -- Another sweep may have announced one before its lock was free: this statement sees that.
  insert into builder.quote_events (
    quote_id, account_id, event, status, previous_status, fulfillment_status, unit_price, total_price, currency, expires_at,
    offer, created_as
  )
  select q.id, q.account_id, 'quote.expiring', q.status, q.status, q.fulfillment_status, q.unit_price, q.total_price,
    q.currency, q.expires_at, (select max(o.number) from builder.quote_offers o where o.quote_id = q.id), 'sweep'
  from builder.quotes q where q.id = any (due) and not builder.end_is_announced(q.id, q.expires_at);
  get diagnostics announced = row_count;
  return announced;
end
$$;


--
-- Name: anonymize_orders(uuid, integer); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.anonymize_orders(account uuid, batch integer) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  quote uuid;
  before text[];
  anonymized bigint := 0;
begin
  perform set_config('builder.correction', 'on', true);
  for quote in
    select q.id from builder.quotes q
    where q.account_id = account and q.status = 'ordered' and not builder.is_anonymous(q)
    order by q.id limit batch for update skip locked
  loop
    before := builder.digests_of(quote);
    update builder.quotes q set
      customization = builder.anonymous_design(q.customization), colors = null, preview_front_url = null, preview_back_url = null,
      avatar_preview = null, tool_2d = null, techpack_file = null, contact_name = 'removed', contact_email = null,
      contact_phone = null, company = null, shipping_address = null, billing_address = null, customer_notes = null,
      internal_notes = null, updated_at = greatest(clock_timestamp(), q.updated_at + interval '1 microsecond')
    where q.id = quote;
    update builder.quote_offers o
    set customization = builder.anonymous_design(o.customization), colors = null, preview_front_url = null, preview_back_url = null
    where o.quote_id = quote;
    perform builder.renew_digests(quote, before);
    anonymized := anonymized + 1;
  end loop;
  perform set_config('builder.correction', '', true);
  return anonymized;
end
$$;


--
-- Name: anonymous_design(jsonb); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.anonymous_design(customization jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select jsonb_strip_nulls(jsonb_build_object('removed', true, 'players', (
    select jsonb_agg(jsonb_build_object('name', 'removed', 'size', left(player ->> 'size', 20)))
    from jsonb_array_elements(case jsonb_typeof(customization -> 'players') when 'array' then customization -> 'players' else '[]' end) player
  )))
$$;


--
-- Name: apply_quote_rules(); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.apply_quote_rules() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  by_customer constant boolean := current_user = 'builder_customer' or builder.caller_kind() = 'customer';
  moved constant boolean := new.status is distinct from coalesce(old.status, 'draft');
  -- A function that returns a row returns copies of large values, which an update would store anew: at the end these are put back.
  customization constant jsonb := new.customization; tool_2d constant text := new.tool_2d;
  customer_notes constant text := new.customer_notes; internal_notes constant text := new.internal_notes;
begin
  if by_customer and new.account_id is distinct from old.account_id then
    perform builder.check_account(new.account_id);
  end if;
  if tg_op = 'INSERT' and current_setting('request.rows', true) = 'keyed' and builder.is_there(new.id) then
    return new; -- The upsert becomes an update, which is checked then.
  end if;
  perform builder.judge_quote(old, new, by_customer, moved); -- 1, 2, 5 to 8
  if new.status = 'quoted' then
    new := builder.check_offer(old, new); -- 4
  end if;
  if tg_op = 'UPDATE' and moved and new.status in ('submitted', 'draft') then
    new := builder.clear_at_submission(old, new); -- 3
  end if;
  if new.status <> 'draft' and new.contact_email is not null then
    perform builder.check_contact(old, new, moved); -- 3
  end if;
  if old.status = 'ordered' and moved then
    new := builder.clear_fulfillment(new); -- 10
  elsif new.fulfillment_status is not null and new.status <> 'ordered' then
    perform builder.refuse_value('quotes', 'only_an_ordered_quote_has_a_fulfillment_status'); -- 10
  end if;
  new := builder.stamp_quote(old, new, by_customer); -- 9
  new.customization := customization; new.tool_2d := tool_2d;
  new.customer_notes := customer_notes; new.internal_notes := internal_notes;
  return new;
end
$$;


--
-- Name: are_tags(text[]); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.are_tags(value text[]) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return cardinality(value) <= 100 and octet_length(array_to_string(value, ',', 'null')) <= 4000;
end
$$;


--
-- Name: body_has(text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.body_has(column_name text) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return coalesce(column_name = any (string_to_array(current_setting('request.columns', true), ',')), false);
end
$$;


--
-- Name: body_names(text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.body_names(column_name text) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return builder.body_has(column_name) and coalesce(current_setting('request.rows', true) in ('one', 'keyed'), false);
end
$$;


--
-- Name: caller_account_ids(); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.caller_account_ids() RETURNS uuid[]
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return array_remove(
    array_remove(builder.caller_id() || builder.account_ids(), null), '00000000-0000-0000-0000-000000000000'
  );
end
$$;


--
-- Name: caller_dismissed(bigint); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.caller_dismissed(notification bigint) RETURNS boolean
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return exists (
    select from builder.dismissals d where d.notification_id = notification and d.user_id = builder.caller_id()
  );
end
$$;


--
-- Name: caller_id(); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.caller_id() RETURNS uuid
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$ begin return nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub'; end $$;


--
-- Name: caller_kind(); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.caller_kind() RETURNS text
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  role constant text := current_setting('role');
begin
  return case
    when role = 'builder_customer' then 'customer'
    when session_user = 'builder_jobs' then 'sweep'
    when role = 'builder_staff' then case when builder.caller_id() is null then 'service' else 'staff' end
    when pg_has_role(
      case role when 'none' then session_user else role end, (select relowner from pg_class where oid = 'builder.quotes'::regclass), 'usage'
    ) then 'service'
    else 'customer'
  end;
end
$$;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: changes; Type: TABLE; Schema: builder; Owner: -
--

CREATE TABLE builder.changes (
    xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    id bigint NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    collection text NOT NULL,
    operation "char" NOT NULL,
    account_id uuid NOT NULL,
    user_id uuid,
    key text NOT NULL
);


--
-- Name: change_json(builder.changes); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.change_json(one builder.changes) RETURNS json
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select json_build_object('id', one.id::text, 'collection', one.collection, 'operation', one.operation,
    'account', one.account_id, 'user', one.user_id, 'key', one.key, 'at', one.at,
    'dismissed', case when one.collection = 'notifications' then
      exists (select from builder.dismissals d where d.notification_id = one.key::bigint) end)
$$;


--
-- Name: is_no_script(text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.is_no_script(value text) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return regexp_replace(value collate "C", builder.unseen(), '', 'g')
    !~* '^(javascript:|vbscript:|data:(?!image/(png|jpeg|gif|webp)[;,]))';
end
$$;


--
-- Name: is_price(numeric); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.is_price(value numeric) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$ begin return value >= 0 and value < 1e30 and scale(value) <= 20; end $$;


--
-- Name: is_url(text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.is_url(value text) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$ begin return value ~ '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]' and builder.is_seen(value); end $$;


--
-- Name: design; Type: TABLE; Schema: builder; Owner: -
--

CREATE TABLE builder.design (
    product_id uuid NOT NULL,
    design_id uuid,
    sport text NOT NULL,
    rush_order boolean,
    roster_count integer,
    size_breakdown jsonb,
    colors jsonb,
    customization jsonb NOT NULL
);


--
-- Name: price; Type: TABLE; Schema: builder; Owner: -
--

CREATE TABLE builder.price (
    unit_price numeric,
    total_price numeric,
    currency character varying NOT NULL
);


--
-- Name: terms; Type: TABLE; Schema: builder; Owner: -
--

CREATE TABLE builder.terms (
)
INHERITS (builder.price, builder.design);


--
-- Name: quotes; Type: TABLE; Schema: builder; Owner: -
--

CREATE TABLE builder.quotes (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    account_id uuid NOT NULL,
    quote_number text NOT NULL,
    status text DEFAULT 'draft'::text NOT NULL,
    preview_front_url text,
    preview_back_url text,
    customer_notes text,
    internal_notes text,
    submitted_at timestamp with time zone,
    quoted_at timestamp with time zone,
    quoted_by uuid,
    approved_at timestamp with time zone,
    expires_at timestamp with time zone,
    source text DEFAULT 'builder'::text NOT NULL,
    created_by uuid,
    created_at timestamp with time zone DEFAULT now(),
    updated_at timestamp with time zone DEFAULT now(),
    deleted_at timestamp with time zone,
    fulfillment_status text,
    estimated_delivery_at timestamp with time zone,
    contact_name text,
    contact_email text,
    contact_phone text,
    shipping_address jsonb,
    company text,
    event_date date,
    delivery_method text,
    billing_address jsonb,
    tool_2d text,
    techpack_file text,
    avatar_preview text,
    CONSTRAINT a_quote_belongs_to_one_account CHECK ((account_id <> '00000000-0000-0000-0000-000000000000'::uuid)),
    CONSTRAINT avatar_preview_is_an_http_url CHECK (builder.is_url(avatar_preview)),
    CONSTRAINT currency_is_three_capital_letters CHECK (((currency)::text ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT delivery_method_is_known CHECK ((delivery_method = ANY ('{standard,express,pickup}'::text[]))),
    CONSTRAINT event_date_is_from_1900_on CHECK ((event_date >= '1900-01-01'::date)),
    CONSTRAINT fulfillment_status_is_known CHECK ((fulfillment_status = ANY ('{reviewing,preparing,shipping,delivered}'::text[]))),
    CONSTRAINT preview_back_url_is_an_http_url CHECK (builder.is_url(preview_back_url)),
    CONSTRAINT preview_front_url_is_an_http_url CHECK (builder.is_url(preview_front_url)),
    CONSTRAINT quote_number_is_qt_year_and_five_digits CHECK ((quote_number ~ '^QT-[0-9]{4}-[0-9]{5}$'::text)),
    CONSTRAINT roster_count_is_not_negative CHECK ((roster_count >= 0)),
    CONSTRAINT source_is_known CHECK ((source = ANY ('{builder,csv_import,duplicate,admin_created}'::text[]))),
    CONSTRAINT status_is_known CHECK ((status = ANY ('{draft,submitted,quoted,approved,rejected,expired,ordered,cancelled}'::text[]))),
    CONSTRAINT techpack_file_is_no_script CHECK (builder.is_no_script(techpack_file)),
    CONSTRAINT tool_2d_is_no_script CHECK (builder.is_no_script(tool_2d)),
    CONSTRAINT total_price_is_from_0_to_1e30 CHECK (builder.is_price(total_price)),
    CONSTRAINT unit_price_is_from_0_to_1e30 CHECK (builder.is_price(unit_price))
)
INHERITS (builder.terms)
WITH (toast.autovacuum_vacuum_scale_factor='0', toast.autovacuum_vacuum_threshold='10000');


--
-- Name: changed_column(builder.quotes, builder.quotes, text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.changed_column(old builder.quotes, new builder.quotes, list text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$begin return case list when 'until quoted' then case when new.tool_2d is distinct from old.tool_2d then 'tool_2d' when new.techpack_file is distinct from old.techpack_file then 'techpack_file' end when 'in a draft' then case when new.product_id is distinct from old.product_id then 'product_id' when new.design_id is distinct from old.design_id then 'design_id' when new.sport is distinct from old.sport then 'sport' when new.rush_order is distinct from old.rush_order then 'rush_order' when new.roster_count is distinct from old.roster_count then 'roster_count' when new.size_breakdown is distinct from old.size_breakdown then 'size_breakdown' when new.colors is distinct from old.colors then 'colors' when new.customization is distinct from old.customization then 'customization' when new.currency is distinct from old.currency then 'currency' when new.account_id is distinct from old.account_id then 'account_id' when new.quote_number is distinct from old.quote_number then 'quote_number' when new.source is distinct from old.source then 'source' when new.created_by is distinct from old.created_by then 'created_by' when new.event_date is distinct from old.event_date then 'event_date' end when 'until ordered' then case when new.customer_notes is distinct from old.customer_notes then 'customer_notes' when new.contact_name is distinct from old.contact_name then 'contact_name' when new.contact_email is distinct from old.contact_email then 'contact_email' when new.contact_phone is distinct from old.contact_phone then 'contact_phone' when new.company is distinct from old.company then 'company' when new.shipping_address is distinct from old.shipping_address then 'shipping_address' when new.billing_address is distinct from old.billing_address then 'billing_address' when new.delivery_method is distinct from old.delivery_method then 'delivery_method' when new.preview_front_url is distinct from old.preview_front_url then 'preview_front_url' when new.preview_back_url is distinct from old.preview_back_url then 'preview_back_url' when new.avatar_preview is distinct from old.avatar_preview then 'avatar_preview' end end; end$$;


--
-- Name: changed_term(builder.quotes, builder.quotes); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.changed_term(old builder.quotes, new builder.quotes) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select was.name
  from json_each_text(row_to_json(old::builder.terms)) with ordinality was (name, value, place)
    join json_each_text(row_to_json(new::builder.terms)) became (name, value) using (name)
  where was.value is distinct from became.value
  order by was.place limit 1
$$;


--
-- Name: changes_since(text, integer); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.changes_since(cursor text, most integer, OUT next text, OUT gap boolean, OUT partial boolean, OUT lines json) RETURNS record
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
declare
  timeline constant text := builder.server_timeline() || '.' || 'builder.changes'::regclass::oid;
  current constant pg_snapshot := pg_current_snapshot();
  seconds constant bigint := extract(epoch from now());
  reach constant bigint := 65 * 60;
  parts constant text[] := string_to_array(cursor, ' ');
  since constant pg_snapshot := parts[3];
  since_id constant bigint := parts[4];
  until constant pg_snapshot := coalesce(parts[5], current::text);
  read_id bigint := parts[6];
  last_id bigint;
begin
  select false, false, '[]' into gap, partial, lines;
  if cursor is null or timeline <> parts[1] or parts[2]::bigint < seconds - reach
    or pg_snapshot_xmax(since) > pg_snapshot_xmax(current) or since_id > (select last_value from builder.changes_id_seq)
  then
    gap := cursor is not null;
    next := concat_ws(' ', timeline, seconds, current, coalesce((select max(id) from builder.changes), 0));
    return;
  end if;
  read_id := coalesce(read_id, builder.last_read(since, since_id));
  select coalesce(json_agg(builder.change_json(c) order by id), '[]'), count(*) = most, max(id)
  into lines, partial, last_id
  from (
    select c, id from builder.changes c
    where id > read_id
      and (id > since_id or not pg_visible_in_snapshot(xid, since))
      and pg_visible_in_snapshot(xid, until)
    order by id
    limit most
  ) changes;
  next := case
    when partial then concat_ws(' ', timeline, parts[2], since, since_id, until, last_id)
    when parts[5] is not null then concat_ws(' ', timeline, parts[2], until, greatest(since_id, read_id, last_id))
    else concat_ws(' ', timeline, seconds, until, greatest(since_id, last_id))
  end;
end
$$;


--
-- Name: check_account(uuid); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.check_account(account uuid) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  accounts constant uuid[] := builder.caller_account_ids();
begin
  if account <> all (accounts) then
    perform builder.forbid_column(
      'account_id', 'account_id must be an account of the token', format('The accounts of the token: %s%s.',
        array_to_string(accounts[:20], ', '), case when cardinality(accounts) > 20 then ', …' else '' end),
      'an account of the token'
    );
  end if;
end
$$;


--
-- Name: check_approval(builder.quotes, builder.quotes); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.check_approval(old builder.quotes, new builder.quotes) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  offers record;
  is_offered boolean;
  by_price boolean;
begin
  if new.status = 'approved' and old.status is distinct from 'approved' and new.expires_at <= now()
    and (old.id is not null or current_user = 'builder_staff')
  then
    raise sqlstate 'PT409' using constraint = 'rule 6, approval',
      message = 'A quote that has expired cannot be approved',
      detail = format('It expired at %s.', to_json(new.expires_at) #>> '{}'),
      hint = case when builder.caller_kind() = 'customer' then 'To ask for a new price, write .update({ status: ''submitted'' }).eq(''id'', id).'
        else 'Give it a later end in the same request: .update({ status: ''approved'', expires_at: null }).eq(''id'', id).' end;
  elsif old.id is null then
    return;
  end if;
  perform builder.require_one_quote('approve');
  if (old.total_price is not null and new.total_price is distinct from old.total_price)
    or (old.quoted_at is not null and builder.body_names('quoted_at') and builder.is_other_time(new.quoted_at, old.quoted_at))
  then
    perform builder.refuse_other_offer(old, new.status, old.total_price is not null and new.total_price is distinct from old.total_price);
  end if;
  select * into offers from builder.compare_offers(new, new.total_price);
  is_offered := offers.is_offered and new::builder.terms is not distinct from old::builder.terms;
  by_price := is_offered and not offers.has_other_terms_of_this_total;
  if (is_offered and (
      (old.status in ('quoted', 'approved', 'ordered') and not offers.has_other_terms)
      or (by_price and builder.names_price(old, new)) or builder.names_offer(old, new)
    )) or (not is_offered and builder.names_version(old, new))
  then
    return;
  end if;
  raise sqlstate 'PT409' using constraint = 'rule 6, approval',
    message = format('A quote cannot move from %s to %s unless the request names %s that was read', old.status, new.status,
      case when by_price then 'the price or the offer' when is_offered then 'the offer' else 'the version' end),
    detail = case when not is_offered then 'Its terms were never offered.'
      when offers.has_other_terms then 'Its price, size, roster or design has changed since it was first offered.'
      else format('It is %s, so it may have been changed since somebody agreed to its price.', old.status) end,
    hint = builder.naming_hint(old, new.status, '{}', case
      when by_price then array['total_price'] when is_offered then array['quoted_at']
      when builder.sets_price(old, new) then array['updated_at', 'submitted_at'] else array['updated_at'] end);
end
$$;


--
-- Name: check_contact(builder.quotes, builder.quotes, boolean); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.check_contact(old builder.quotes, new builder.quotes, moved boolean) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if ((moved and new.status in ('submitted', 'quoted', 'approved', 'ordered'))
      or (old.id is not null and new.contact_email is distinct from old.contact_email))
    and not builder.is_email_address(new.contact_email)
  then
    perform builder.refuse_value('quotes', 'contact_email_is_one_address');
  end if;
end
$$;


--
-- Name: check_deletion(builder.quotes, builder.quotes); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.check_deletion(old builder.quotes, new builder.quotes) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if old.deleted_at is not null then
    raise insufficient_privilege using constraint = 'rule 2, deletion', message = 'permission denied: only staff may change a deleted quote';
  end if;
  if new.deleted_at is not null and old.status not in ('draft', 'rejected', 'expired', 'cancelled') then
    raise sqlstate 'PT409' using constraint = 'rule 2, deletion',
      message = format('A quote that is %s cannot be deleted', old.status),
      detail = 'A draft or a closed quote (rejected, expired, cancelled) can be deleted.',
      hint = case when old.status <> 'ordered' then 'Write .update({ status: ''cancelled'' }) first.' else '' end;
  end if;
end
$$;


--
-- Name: deliveries; Type: TABLE; Schema: builder; Owner: -
--

CREATE TABLE builder.deliveries (
    id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    due_at timestamp with time zone DEFAULT now(),
    attempts integer DEFAULT 0 NOT NULL,
    claims integer DEFAULT 0 NOT NULL,
    state text DEFAULT 'waiting'::text NOT NULL,
    reason text,
    settled_at timestamp with time zone,
    account_id uuid NOT NULL,
    notification_id bigint,
    webhook_id uuid,
    event_id bigint,
    address text,
    attempted_at timestamp with time zone,
    quote_id uuid,
    queued_at timestamp with time zone DEFAULT now() NOT NULL,
    kind text NOT NULL,
    recipient text,
    turn integer DEFAULT 0 NOT NULL,
    hold_reason text,
    unanswered boolean DEFAULT false NOT NULL,
    message_id uuid DEFAULT gen_random_uuid() NOT NULL,
    CONSTRAINT due_at_is_null_once_finished CHECK (((due_at IS NULL) = (state = ANY (ARRAY['sent'::text, 'skipped'::text, 'dead'::text])))),
    CONSTRAINT state_is_known CHECK ((state = ANY (ARRAY['waiting'::text, 'sending'::text, 'sent'::text, 'skipped'::text, 'dead'::text])))
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_analyze_scale_factor='0.05');


--
-- Name: check_email(builder.deliveries, text, boolean, bigint); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.check_email(delivery builder.deliveries, address text, has_text boolean, left_today bigint, OUT state text, OUT reason text, OUT until timestamp with time zone) RETURNS record
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
begin
  if delivery.attempts > cardinality(builder.retry_schedule(delivery.kind)) then
    state := 'dead';
    reason := 'no result was reported';
    return;
  end if;
  reason := coalesce(builder.email_skip_reason(delivery), case when not has_text then 'no message' end);
  if reason is not null then
    state := 'skipped';
    return;
  end if;
  reason := case
    when exists (select from builder.quotes q where q.id = delivery.quote_id and q.deleted_at is not null)
      and not exists (select from builder.quote_events e where e.id = delivery.event_id and e.event = 'quote.deleted')
    then 'quote deleted'
    when address is null then 'no address'
    when exists (
      select from builder.refused_addresses r where r.address = lower($2) and r.refused_at > now() - interval '7 days'
    ) then 'refused address'
  end;
  until := now() + interval '1 hour';
  if reason is null then
    select l.hold_reason, l.until into reason, until from builder.email_limit(delivery, address) l;
  end if;
  if reason is null and delivery.attempted_at is null and left_today <= 0 then
    reason := 'too many in all';
    until := now() + interval '1 hour';
  end if;
  state := case when reason is not null then 'waiting' end;
  until := greatest(now() + interval '1 minute', least(until, delivery.queued_at + interval '3 days'));
end
$_$;


--
-- Name: check_fields(builder.quotes, builder.quotes); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.check_fields(old builder.quotes, new builder.quotes) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  is_closed constant boolean := old.status in ('ordered', 'rejected', 'expired', 'cancelled') and new.status = old.status;
  field text;
begin
  if new.source = 'admin_created' and new.source is distinct from old.source then
    perform builder.forbid_column('source', 'only staff may set source to admin_created', '');
  end if;
  if new.created_by is distinct from old.created_by and new.created_by is distinct from builder.caller_id() then
    perform builder.forbid_column(
      'created_by', 'created_by must be the user of the token', format('It is %s. A new quote may omit it.', builder.caller_id()),
      'the user of the token'
    );
  end if;
  if old.status <> 'draft' and new.status <> 'draft' then
    field := coalesce(
      builder.changed_column(old, new, 'in a draft'),
      case when new.status <> 'submitted' then builder.changed_column(old, new, 'until quoted') end,
      case when is_closed then builder.changed_column(old, new, 'until ordered') end
    );
    if field is not null then
      perform builder.forbid_column(
        field, format('%s of a quote that is %s cannot be changed', field, old.status), builder.open_fields(field, old.status)
      );
    end if;
  end if;
end
$$;


--
-- Name: check_move(builder.quotes, builder.quotes); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.check_move(old builder.quotes, new builder.quotes) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  moves text[];
begin
  if old.deleted_at is not null or new.deleted_at is not null then
    perform builder.check_deletion(old, new);
  end if;
  if old.id is null then
    if new.status not in ('draft', 'submitted') then
      raise sqlstate 'PT409' using constraint = 'rule 1, moves',
        message = format('A quote cannot be created as %s', new.status),
        detail = 'This caller may create it as: draft, submitted.';
    end if;
  elsif new.status <> old.status then
    moves := array(select t.to_status from builder.quote_transitions t where t.from_status = old.status order by 1);
    if new.deleted_at is not null then
      moves := '{}';
    end if;
    if new.status <> all (moves) then
      raise sqlstate 'PT409' using constraint = 'rule 1, moves',
        message = format('A quote cannot move from %s to %s', old.status, new.status),
        detail = case when moves = '{}' then format('From %s this caller has no moves.', old.status)
          else format('From %s this caller may move it to: %s.', old.status, array_to_string(moves, ', ')) end;
    end if;
  end if;
end
$$;


--
-- Name: check_offer(builder.quotes, builder.quotes); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.check_offer(old builder.quotes, new builder.quotes) RETURNS builder.quotes
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if new.unit_price is null or new.total_price is null then
    perform builder.refuse_value('quotes', 'a_quoted_quote_has_both_prices');
  end if;
  if new.expires_at <= now() then
    if new.expires_at is distinct from old.expires_at then
      if current_user = 'builder_staff' then
        perform builder.refuse_value('quotes', 'an_offer_ends_in_the_future');
      end if;
    elsif builder.sets_price(old, new) then
      new.expires_at := null;
    end if;
  end if;
  return new;
end
$$;


--
-- Name: check_price(builder.quotes, builder.quotes); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.check_price(old builder.quotes, new builder.quotes) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  what constant text := case when new.status = 'quoted' and old.status <> 'quoted'
    then format('A quote cannot move from %s to quoted', old.status)
    else format('The price of a quote that is %s cannot change', old.status) end;
  status constant text := case when new.status <> old.status or builder.body_has('status') then new.status end;
  names_version constant boolean := builder.names_version(old, new);
begin
  perform builder.refuse_earlier_version(old, new);
  if not builder.sets_price(old, new) then
    return;
  end if;
  perform builder.require_one_quote('price');
  if new.status = 'draft' then
    return;
  elsif builder.sends_other_submission(old, new) then
    raise sqlstate 'PT409' using constraint = 'rule 5, price',
      message = 'The quote was submitted anew, so nothing was written',
      detail = 'The submitted_at of the request is not the stored one.',
      hint = builder.naming_hint(old, status, '{}', array['updated_at', 'submitted_at']);
  elsif names_version and builder.names_submission(old, new) then
    return;
  elsif old.status not in ('submitted', 'quoted', 'rejected', 'expired') or not builder.has_one_design(old) then
    raise sqlstate 'PT409' using constraint = 'rule 5, price',
      message = format('%s unless the request names the version%s that was priced', what,
        case when old.submitted_at is null then '' else ' and the submission' end),
      detail = case old.status
        when 'draft' then 'It is a draft, which its customer may change at any moment.'
        when 'approved' then 'Its customer has approved its price.'
        when 'ordered' then 'It is ordered, at the price that its customer approved.'
        else 'It may have another design than the one that was priced.' end,
      hint = builder.naming_hint(old, status, '{}', array['updated_at', 'submitted_at']);
  elsif not names_version and new.currency <> 'USD' and new.currency = old.currency and not builder.body_has('currency')
    and not builder.was_offered_in(old.id, new.currency)
  then
    raise sqlstate 'PT409' using constraint = 'rule 5, price',
      message = format('%s unless the request names its currency', what),
      detail = format('It is in %s, and no offer was.', new.currency),
      hint = format('Write .update({ %s, currency: ''%s'' }).eq(''id'', id).', builder.hinted_update(old, status, '{}', '{}'), new.currency);
  end if;
end
$$;


--
-- Name: check_terms(builder.quotes, builder.quotes); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.check_terms(old builder.quotes, new builder.quotes) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  stays_ordered constant boolean := old.status = 'ordered' and new.status = 'ordered';
  term text;
begin
  if (stays_ordered and builder.names_version(old, new)) or old::builder.terms is not distinct from new::builder.terms then
    return;
  end if;
  term := builder.changed_term(old, new);
  raise sqlstate 'PT409' using constraint = 'rule 8, terms',
    message = format('The %s of a quote that is %s cannot change', term, old.status) || case
      when stays_ordered then ' unless the request names the version that was read'
      when new.status <> old.status then format(' in the move to %s', new.status) else '' end,
    detail = case when stays_ordered then 'The correction is sent to its customer.'
      else 'Its customer approved the price, sizes, roster and design as they are.' end,
    hint = builder.naming_hint(old, case when not stays_ordered then 'quoted' end,
      case when stays_ordered then '{}' else array['unit_price', 'total_price'] end, array['updated_at', 'submitted_at']);
end
$$;


--
-- Name: check_values(); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.check_values() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if new.customization is distinct from old.customization and (
    jsonb_typeof(new.customization) <> 'object' or octet_length(new.customization::text) > 1048576
  ) then
    perform builder.refuse_value('quotes', 'customization_is_an_object_of_at_most_1_mib');
  end if;
  if new.colors is distinct from old.colors and (jsonb_typeof(new.colors) <> 'object' or octet_length(new.colors::text) > 2000) then
    perform builder.refuse_value('quotes', 'colors_is_an_object_of_at_most_2000_bytes');
  end if;
  if new.size_breakdown is distinct from old.size_breakdown and not builder.is_size_breakdown(new.size_breakdown) then
    perform builder.refuse_value('quotes', 'size_breakdown_counts_are_whole_numbers');
  end if;
  if new.shipping_address is distinct from old.shipping_address and (
    jsonb_typeof(new.shipping_address) <> 'object' or octet_length(new.shipping_address::text) > 2000
  ) then
    perform builder.refuse_value('quotes', 'shipping_address_is_an_object_of_at_most_2000_bytes');
  end if;
  if new.billing_address is distinct from old.billing_address and (
    jsonb_typeof(new.billing_address) <> 'object' or octet_length(new.billing_address::text) > 2000
  ) then
    perform builder.refuse_value('quotes', 'billing_address_is_an_object_of_at_most_2000_bytes');
  end if;
  -- Constraints bound the URLs of previews (is_url).
  if octet_length(new.sport) > 200 or octet_length(new.customer_notes) > 10000 or octet_length(new.internal_notes) > 10000
    or octet_length(new.contact_name) > 500 or octet_length(new.contact_email) > 320
    or octet_length(new.contact_phone) > 100 or octet_length(new.company) > 500 or octet_length(new.tool_2d) > 10000
    or octet_length(new.techpack_file) > 2048
  then
    perform builder.refuse_value('quotes', 'texts_are_not_too_long');
  end if;
  return new;
end
$$;


--
-- Name: claim_calls(integer, boolean); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.claim_calls(most integer, only_loopback boolean DEFAULT false) RETURNS TABLE(id bigint, message_id uuid, claim integer, attempt integer, claimed_at double precision, url text, secrets text[], event json)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  -- Claims wait for each other, so that each sees the calls in flight.
  perform pg_advisory_xact_lock('builder.webhooks'::regclass::oid::bigint), builder.end_calls();
  return query with next as materialized (
    select due.id, w.url, w.secrets
    from builder.webhooks w
      cross join lateral (
        select count(*) as calls from builder.deliveries d
        where d.webhook_id = w.id and d.state = 'sending' and d.due_at > now()
      ) in_flight
      cross join lateral (
        select max(d.attempted_at) as at from builder.deliveries d where d.webhook_id = w.id and d.attempted_at is not null
      ) last
      cross join lateral (
        select d.id, row_number() over (order by d.attempts, d.turn, d.due_at, d.id) as place from (
          select d.* from builder.deliveries d where d.webhook_id = w.id and d.due_at <= now()
          order by d.attempts, d.turn, d.due_at, d.id
          limit least(most, greatest(0, case when w.failing_since is null then 4 else 1 end - in_flight.calls))
          for update skip locked
        ) d
      ) due
    where w.disabled_at is null and builder.may_call(w.url, only_loopback)
    order by in_flight.calls + due.place,
      coalesce(last.at, 'epoch') + case when w.failing_since is null then interval '0' else interval '1 minute' end, due.id
    limit most
  )
  update builder.deliveries d
  set due_at = now() + interval '5 minutes', state = 'sending', attempts = d.attempts + 1, claims = d.claims + 1,
    attempted_at = now(), reason = null
  from next where d.id = next.id
  returning d.id, d.message_id, d.claims, d.attempts, extract(epoch from now())::double precision, next.url, next.secrets,
    builder.event_of_call(d.account_id, d.quote_id, d.event_id, d.created_at);
end
$$;


--
-- Name: claim_emails(integer, integer, text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.claim_emails(mails integer, a_day integer, staff text) RETURNS TABLE(id bigint, message_id uuid, claim integer, attempt integer, account_id uuid, address text, greeting text, body text, link text, language text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
declare
  one builder.deliveries;
  mail record;
  why record;
  left_today bigint := builder.prepare_email_claim(a_day, staff);
begin
  -- One by one, since each counts for the limits of the next, and email_of(), which a deployment replaces, may fail for one.
  for one in
    select d.* from builder.deliveries d, builder.delivery_pace p
    where d.webhook_id is null and d.due_at <= now() and p.mail_paused_until <= now() and mails > 0
    order by d.attempts, d.turn, d.due_at, d.id limit 500 for update of d skip locked
  loop
    exit when mails <= 0;
    begin
      select * into mail from builder.resolve_email(one, staff);
      one.account_id := mail.account_id;
      select * into why from builder.check_email(one, mail.address, mail.body is not null, left_today);
    exception when query_canceled or others then
      perform builder.hold_email(one, 'waiting', 'address lookup failed: ' || sqlstate, now() + interval '10 minutes');
      exit when sqlstate = '57014';
      continue;
    end;
    if why.state is not null then
      perform builder.hold_email(one, why.state, why.reason, why.until);
    else
      mails := mails - 1;
      left_today := left_today - 1;
      return query update builder.deliveries d
        set due_at = now() + interval '15 minutes', state = 'sending', attempts = d.attempts + 1, claims = d.claims + 1,
          account_id = mail.account_id, address = lower(mail.address), attempted_at = now(), reason = null, hold_reason = null,
          recipient = left(mail.address, 1) || '…@' || split_part(mail.address, '@', 2)
        where d.id = one.id
        returning d.id, d.message_id, d.claims, d.attempts, case when d.kind = 'email' then d.account_id end, mail.address,
          mail.greeting, mail.body, mail.link, mail.language;
    end if;
  end loop;
end
$$;


--
-- Name: claim_key(text, text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.claim_key(given_key text, given_fingerprint text) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  owner constant text := builder.key_owner();
  is_customer constant boolean := builder.caller_kind() = 'customer';
  most constant integer := 10000;
  known builder.idempotency_keys;
begin
  loop
    insert into builder.idempotency_keys (caller, key, fingerprint) values (owner, given_key, given_fingerprint)
      on conflict do nothing;
    if found then
      if is_customer and (
        select count(*) from (select from builder.idempotency_keys k where k.caller = owner limit most + 1) kept
      ) > most then
        raise sqlstate 'PT429' using constraint = 'keys of a day',
          message = format('This caller has used %s Idempotency-Keys within a day, so nothing was written', most),
          hint = 'Write several rows in one request, or continue without the header.';
      end if;
      return null;
    end if;
    -- A new statement sees what the other transaction has written. It finds nothing only when the sweep has deleted the
    -- record in between; then the key is new.
    select * into known from builder.idempotency_keys k where k.caller = owner and k.key = given_key;
    exit when found;
  end loop;
  if known.fingerprint <> given_fingerprint then
    raise sqlstate 'PT422' using constraint = 'key of another request',
      message = 'The Idempotency-Key was used for another request, so nothing was written',
      detail = 'This request has another body, path, query or header than the first one with this key.',
      hint = 'Send a retry unchanged, and each new request with a new key.';
  end if;
  if is_customer and not coalesce(known.accounts, '{}') <@ builder.caller_account_ids() then
    raise insufficient_privilege using constraint = 'key of another account',
      message = 'permission denied: the Idempotency-Key was used for an account that this caller is no longer in';
  end if;
  return known.response;
end
$$;


--
-- Name: clear_at_submission(builder.quotes, builder.quotes); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.clear_at_submission(old builder.quotes, new builder.quotes) RETURNS builder.quotes
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  new.unit_price := case when new.unit_price is distinct from old.unit_price then new.unit_price end;
  new.total_price := case when new.total_price is distinct from old.total_price then new.total_price end;
  new.quoted_at := case when new.quoted_at is distinct from old.quoted_at then new.quoted_at end;
  new.quoted_by := case when new.quoted_by is distinct from old.quoted_by then new.quoted_by end;
  if old.status <> 'draft' and new.expires_at is not distinct from old.expires_at then
    new.expires_at := null;
  end if;
  return new;
end
$$;


--
-- Name: clear_fulfillment(builder.quotes); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.clear_fulfillment(new builder.quotes) RETURNS builder.quotes
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$ begin new.fulfillment_status := null; return new; end $$;


--
-- Name: compare_offers(builder.quotes, numeric); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.compare_offers(quote builder.quotes, total numeric, OUT is_offered boolean, OUT has_other_terms boolean, OUT has_other_terms_of_this_total boolean) RETURNS record
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select coalesce(bool_or(is_same), false), coalesce(bool_or(not is_same), false),
    coalesce(bool_or(not is_same and total_price = total), false)
  from (
    select o.total_price, o::builder.terms is not distinct from quote::builder.terms as is_same
    from builder.quote_offers o
    where o.quote_id = quote.id and (builder.caller_kind() <> 'customer' or exists (
      select from builder.quotes q where q.id = quote.id and q.account_id = any (builder.caller_account_ids())
    ))
    offset 0
  ) offered
$$;


--
-- Name: contact_of(uuid, uuid, boolean); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.contact_of(account uuid, quote uuid, by_staff boolean) RETURNS text
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if quote is not null then
    return (
      select q.contact_email from builder.quotes q
      where q.id = quote and builder.is_email_address(q.contact_email) and (by_staff or q.status in ('approved', 'ordered') or (
        q.status <> 'draft' and exists (select from builder.quote_offers o where o.quote_id = q.id)
      ))
    );
  end if;
  return (
    select q.contact_email from builder.quotes q left join lateral (
      select o.created_at from builder.quote_offers o where o.quote_id = q.id order by o.number desc limit 1
    ) offered on true
    where q.account_id = account and q.deleted_at is null and builder.is_email_address(q.contact_email)
      and ((offered.created_at is not null and q.status <> 'draft') or q.status in ('approved', 'ordered'))
    order by coalesce(offered.created_at, q.created_at) desc limit 1
  );
end
$$;


--
-- Name: correct_name(uuid, text, text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.correct_name(quote uuid, was text, becomes text) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '10s'
    AS $$
declare
  corrected builder.quotes;
  before text[];
  replaced bigint;
begin
  perform set_config('builder.correction', 'on', true) from builder.quotes q where q.id = quote for update;
  if not found then
    return null;
  end if;
  before := builder.digests_of(quote);
  corrected := (select builder.named_parts(q, was, becomes) from builder.quotes q where q.id = quote);
  update builder.quotes q set
    contact_name = corrected.contact_name, company = corrected.company, customer_notes = corrected.customer_notes,
    internal_notes = corrected.internal_notes, tool_2d = corrected.tool_2d, shipping_address = corrected.shipping_address,
    billing_address = corrected.billing_address, customization = corrected.customization, colors = corrected.colors,
    updated_at = greatest(clock_timestamp(), q.updated_at + interval '1 microsecond')
  where q.id = quote and q is distinct from corrected;
  get diagnostics replaced = row_count;
  with offers as (
    update builder.quote_offers o
    set customization = builder.replace_name(o.customization, was, becomes), colors = builder.replace_name(o.colors, was, becomes)
    where o.quote_id = quote and (o.customization, o.colors) is distinct from
      (builder.replace_name(o.customization, was, becomes), builder.replace_name(o.colors, was, becomes))
    returning 1
  )
  select replaced + count(*) into replaced from offers;
  if replaced > 0 then
    perform builder.renew_digests(quote, before), builder.forget_responses(quote);
    insert into builder.quote_events (
      quote_id, account_id, event, status, previous_status, fulfillment_status, unit_price, total_price, currency, expires_at, offer, created_as
    )
    select q.id, q.account_id, 'quote.corrected', q.status, q.status, q.fulfillment_status, q.unit_price, q.total_price, q.currency,
      q.expires_at, (select max(o.number) from builder.quote_offers o where o.quote_id = q.id), 'service'
    from builder.quotes q where q.id = quote;
  end if;
  perform set_config('builder.correction', '', true);
  return replaced;
end
$$;


--
-- Name: count_customer_number(integer); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.count_customer_number(year integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  share constant integer := 5000;
  is_anonymous constant boolean := coalesce(
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'is_anonymous' = 'true', false
  );
begin
  insert into builder.customer_quote_numbers
  values ($1, case when is_anonymous then builder.everyone() else builder.caller_id() end, 1)
  on conflict on constraint customer_quote_numbers_pkey do update set taken = customer_quote_numbers.taken + 1
    where customer_quote_numbers.taken < share;
  if not found then
    raise sqlstate 'PT429' using constraint = 'quote numbers of a caller',
      message = format(
        case when is_anonymous then 'Anonymous accounts have taken all of their %s quote numbers of %s'
          else 'This caller has taken all of its %s quote numbers of %s' end,
        share, $1
      ),
      hint = 'Use numbers that you have taken, or choose the number of the quote yourself.';
  end if;
end
$_$;


--
-- Name: create_webhook_secret(); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.create_webhook_secret() RETURNS text
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  -- Each uuid has 122 random bits.
  select 'whsec_' || encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'base64')
$$;


--
-- Name: currency_sign(text, text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.currency_sign(currency text, language text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
  select case
    when case $1
      when 'USD' then case
        when base = 'en' then coalesce(regional, 'en-us') = any (
          '{en-ae,en-as,en-bi,en-gu,en-in,en-jp,en-mh,en-mp,en-ph,en-pr,en-um,en-us,en-vi}'
        )
        else regional = any ('{es-ec,es-pr,es-sv,es-us,nl-bq}')
          or base = any ('{de,el,et,fi,gl,hi,kn,ja,lv,ml,ru,sl,ta,te,tr}') and regional is distinct from 'ta-sg'
      end
      when 'CAD' then regional = any ('{en-ca,fr-ca}')
      when 'AUD' then regional = any ('{en-au,en-cc,en-cx,en-ki,en-nf,en-nr,en-tv}')
      when 'NZD' then regional = any ('{en-ck,en-nu,en-nz,en-pn,en-tk}')
      when 'MXN' then regional = 'es-mx'
      when 'SGD' then regional = any ('{en-sg,ta-sg,zh-sg}')
      when 'TWD' then regional = 'zh-tw'
    end then '$'
    else coalesce(
      ('{"USD":"US$","EUR":"€","GBP":"£","JPY":"¥","INR":"₹","KRW":"₩","ILS":"₪","VND":"₫","PHP":"₱","CAD":"CA$","AUD":"A$",
        "NZD":"NZ$","MXN":"MX$","BRL":"R$","CNY":"CN¥","HKD":"HK$","TWD":"NT$"}'::json) ->> $1,
      $1
    )
  end
  from builder.split_language(language)
$_$;


--
-- Name: date_form(text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.date_form(language text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select case
    when base = 'en' and coalesce(regional, 'en-us') = any ('{en-as,en-bi,en-ca,en-gu,en-jp,en-mh,en-mp,en-ph,en-pr,en-um,en-us,en-vi}')
      then 'FMMonth FMDD, YYYY'
    when base = 'en' then 'FMDD FMMonth YYYY'
    when regional = any ('{es-pa,es-pr}') then 'MM/DD/YYYY'
    when regional = 'es-cl' then 'DD-MM-YYYY'
    when regional = 'fr-ca' then 'YYYY-MM-DD'
    when regional = 'sv-fi' then 'FMDD.FMMM.YYYY'
    when regional = 'fr-ch' or base = any ('{ro,ru,tr,uk}') then 'DD.MM.YYYY'
    when base = 'nl' and coalesce(regional, 'nl-nl') <> 'nl-be' then 'FMDD-FMMM-YYYY'
    when base = any ('{fr,it,pt}') then 'DD/MM/YYYY'
    when base = any ('{ca,el,es,gl,gu,hi,id,kn,ml,nl,pa,ta,te,vi}') then 'FMDD/FMMM/YYYY'
    when base = any ('{bg,da,de,et,fi,is,lv,mk,nb,nn,no,pl,sq}') then 'FMDD.FMMM.YYYY'
    when base = any ('{bs,cs,hr,sk,sl,sr}') then 'FMDD. FMMM. YYYY'
    else 'YYYY-MM-DD'
  end
  from builder.split_language(language)
$$;


--
-- Name: delete_dismissals(); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.delete_dismissals() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  with locked as (
    select d.notification_id, d.user_id from builder.dismissals d where d.notification_id in (select n.id from old_rows n)
    order by 1, 2 for update
  )
  delete from builder.dismissals d using locked l where d.notification_id = l.notification_id and d.user_id = l.user_id;
  return null;
end
$$;


--
-- Name: delivery_status(boolean, boolean); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.delivery_status(can_mail boolean, only_loopback boolean DEFAULT false, OUT next_mail double precision, OUT next_call double precision, OUT late_mail boolean, OUT late_call boolean, OUT to_warn bigint, OUT failing bigint) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  long_ago constant timestamp with time zone := now() - interval '10 minutes';
  a_minute_ago constant timestamp with time zone := now() - interval '1 minute';
  mail timestamp with time zone;
  pace builder.delivery_pace;
begin
  select * into pace from builder.delivery_pace;
  select min(d.due_at) into mail from builder.deliveries d where d.webhook_id is null and d.due_at > '-infinity';
  select extract(epoch from min(first.due_at) - now()),
    coalesce(bool_or(
      (first.due_at <= long_ago and not coalesce(last.at > long_ago, false))
      or (w.failing_since is null and builder.first_call_is_late(w.id))
    ), false),
    count(w.failing_since)
  into next_call, late_call, failing
  from builder.webhooks w
    cross join lateral (
      select min(d.due_at) as due_at from builder.deliveries d where d.webhook_id = w.id and d.due_at > '-infinity'
    ) first
    cross join lateral (
      select max(d.attempted_at) as at from builder.deliveries d where d.webhook_id = w.id and d.attempted_at is not null
    ) last
  where w.disabled_at is null and builder.may_call(w.url, only_loopback);
  next_mail := case when mail is not null then extract(epoch from greatest(mail, pace.mail_paused_until) - now()) end;
  late_mail := mail is not null and (
    mail <= long_ago or coalesce(pace.mail_failing_since <= long_ago, false)
    or (pace.mail_paused_until <= a_minute_ago and exists (
      select from builder.deliveries d
      where d.webhook_id is null and d.attempts = 0 and d.due_at > '-infinity' and d.due_at <= a_minute_ago
    ))
  );
  if not can_mail and mail is not null and pace.warned_at <= now() - interval '1 hour' then
    update builder.delivery_pace p set warned_at = now() where p.warned_at <= now() - interval '1 hour';
    if found then
      select count(*) into to_warn from builder.deliveries d where d.webhook_id is null and d.due_at is not null;
    end if;
  end if;
end
$$;


--
-- Name: design_digest(builder.quotes); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.design_digest(quote builder.quotes) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  design builder.design := quote::builder.design;
  customization constant text := design.customization;
begin
  design.customization := null;
  return encode(sha256(convert_to(customization || rtrim(design::text, ',)'), 'UTF8')), 'hex');
end
$$;


--
-- Name: digests_of(uuid); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.digests_of(quote uuid) RETURNS text[]
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select array_agg(builder.design_digest(designed) order by number) from (
    select 0 as number, q as designed from builder.quotes q where q.id = quote
    union all
    select o.number, jsonb_populate_record(null::builder.quotes, to_jsonb(o) - 'id') from builder.quote_offers o where o.quote_id = quote
  ) designs
$$;


--
-- Name: dismiss_notification(); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.dismiss_notification() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  caller constant uuid := builder.caller_id();
begin
  if old.account_id <> builder.everyone() then
    update builder.notifications n set dismissed = new.dismissed
    where n.id = old.id and (
      current_setting('request.compared', true) is distinct from 'xmin' or n.xmin::text::bigint = old.xmin
    );
    if not found then
      return null;
    end if;
  elsif caller is null then
    return null;
  elsif new.dismissed and not old.dismissed then
    insert into builder.dismissals values (old.id, caller) on conflict do nothing;
  elsif not new.dismissed then
    delete from builder.dismissals d where d.notification_id = old.id and d.user_id = caller;
  end if;
  select * into new from builder.notifications_of_customer n where n.id = old.id;
  return case when found then new end;
end
$$;


--
-- Name: duplicate_quote(uuid); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.duplicate_quote(id uuid) RETURNS uuid
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  not_copied constant text[] := '{quote_number, source, created_by, event_date, rush_order, customer_notes}';
  copied constant text := (
    select string_agg(name, ', ') from builder.quote_columns()
    where list in ('until ordered', 'until quoted', 'in a draft') and name <> all (not_copied)
  );
  copy uuid;
begin
  execute format('insert into builder.quotes (quote_number, source, %1$s)
    select builder.next_quote_number(), ''duplicate'', %1$s from builder.quotes where id = $1 and deleted_at is null
    returning id', copied) into copy using duplicate_quote.id;
  if copy is null then
    raise sqlstate 'PT404' using message = 'The row of quotes was not found, so nothing was written',
      detail = 'No row with this id exists, or this caller cannot see it.';
  end if;
  return copy;
end
$_$;


--
-- Name: email_limit(builder.deliveries, text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.email_limit(delivery builder.deliveries, address text, OUT hold_reason text, OUT until timestamp with time zone) RETURNS record
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
begin
  with sent as (
    select d.address, d.kind, d.attempted_at from builder.deliveries d
    where d.account_id = delivery.account_id and d.webhook_id is null and d.attempted_at > now() - interval '1 day'
      and d.id <> delivery.id
  ), bounds as (
    (
      select 1 as place, 'too many to the address' as hold_reason, s.attempted_at from sent s where s.address = lower($2)
      order by s.attempted_at desc offset 9 limit 1
    )
    union all (
      select 2, 'too many to the account', s.attempted_at from sent s where s.kind = 'email' and delivery.kind = 'email'
      order by s.attempted_at desc offset 19 limit 1
    )
    union all (
      select 3, 'too many addresses', max(s.attempted_at) from sent s
      where s.kind = 'email' and delivery.kind = 'email' and s.address <> lower($2)
      group by s.address order by max(s.attempted_at) desc offset 2 limit 1
    )
  )
  select b.hold_reason, b.attempted_at + interval '1 day' into hold_reason, until from bounds b order by b.place limit 1;
end
$_$;


--
-- Name: email_of(uuid); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.email_of(account uuid, OUT address text, OUT language text) RETURNS record
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
begin
  language := 'en';
  if to_regclass('auth.users') is not null then
    execute 'select email from auth.users where id = $1 and email_confirmed_at is not null' into address using account;
  end if;
end
$_$;


--
-- Name: email_skip_reason(builder.deliveries); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.email_skip_reason(delivery builder.deliveries) RETURNS text
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  notification builder.notifications;
  is_repeated constant boolean := delivery.queued_at > delivery.created_at;
begin
  if delivery.kind <> 'email' then
    return null;
  end if;
  select * into notification from builder.notifications where id = delivery.notification_id;
  return case
    when notification.id is null then 'deleted'
    when notification.expires_at <= now() then 'expired'
    when exists (select from builder.unsubscribed_accounts u where u.account_id = delivery.account_id) then 'unsubscribed'
    when not is_repeated and builder.is_superseded(delivery.quote_id, delivery.event_id) then 'superseded'
  end;
end
$$;


--
-- Name: end_calls(); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.end_calls() RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select builder.end_delivery(d.id, 'skipped', 'webhook disabled')
  from builder.webhooks w cross join lateral (
    select d.id from builder.deliveries d where d.webhook_id = w.id and d.due_at is not null
    order by d.attempts, d.turn, d.due_at, d.id limit 500 for update skip locked
  ) d
  where w.disabled_at is not null;
  select builder.end_delivery(d.id, 'dead', 'no result was reported') from (
    select d.id from builder.deliveries d
    where d.webhook_id is not null and d.state = 'sending' and d.due_at <= now()
      and d.attempts > cardinality(builder.retry_schedule('webhook'))
    for update skip locked
  ) d
$$;


--
-- Name: end_delivery(bigint, text, text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.end_delivery(delivery bigint, state text, reason text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
  update builder.deliveries set due_at = null, state = $2, reason = left($3, 300), settled_at = now() where id = $1
$_$;


--
-- Name: end_is_announced(uuid, timestamp with time zone); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.end_is_announced(quote uuid, ends_at timestamp with time zone) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select exists (
    select from builder.quote_events e where e.quote_id = quote and (
      (e.event = 'quote.expiring' and e.expires_at = ends_at) or (
        e.event in ('quote.quoted', 'quote.repriced', 'quote.end_changed', 'quote.expiring')
        and e.created_at > now() - (select s.value from builder.settings s where s.name = 'remind_before')
      )
    )
  )
$$;


--
-- Name: erase_account(uuid, integer, boolean); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.erase_account(account uuid, batch integer, keep_orders boolean) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '10s'
    AS $$
declare
  gone constant uuid[] := array(
    select q.id from builder.quotes q where q.account_id = account and not (keep_orders and q.status = 'ordered')
    order by q.id limit batch for update skip locked
  );
  erased bigint;
begin
  with refused as (
    delete from builder.refused_addresses r
    where r.address in (select d.address from builder.deliveries d where d.account_id = account and d.kind = 'email') returning 1
  )
  select cardinality(gone) + count(*) into erased from refused;
  perform builder.remove_quotes(gone);
  erased := erased + builder.erase_rows(account, batch) + builder.erase_creator(account, batch)
    + case when keep_orders then builder.anonymize_orders(account, batch) else 0 end;
  if erased > 0 then
    perform builder.announce_erasure(account);
  end if;
  return erased;
end
$$;


--
-- Name: erase_changes(uuid); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.erase_changes(account uuid) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$ delete from builder.changes c where c.account_id = account or c.user_id = account $$;


--
-- Name: erase_creator(uuid, integer); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.erase_creator(account uuid, batch integer) RETURNS bigint
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '10s'
    AS $$
  with
    quotes as (
      update builder.quotes q set created_by = null where q.id in (
        select q.id from builder.quotes q where q.created_by = account and q.created_by <> q.account_id limit batch
      ) returning 1
    ),
    events as (
      update builder.quote_events e set created_by = null where e.id in (
        select e.id from builder.quote_events e where e.created_by = account and e.created_by <> e.account_id limit batch
      ) returning 1
    ),
    graphics as (
      update builder.graphics g set created_by = null
      where g.id in (select g.id from builder.graphics g where g.created_by = account limit batch) returning 1
    )
  select (select count(*) from quotes) + (select count(*) from events) + (select count(*) from graphics)
$$;


--
-- Name: erase_rows(uuid, integer); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.erase_rows(account uuid, batch integer) RETURNS bigint
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  with
    idempotency as (
      delete from builder.idempotency_keys k
      where (k.caller, k.key) in (
        select k.caller, k.key from builder.idempotency_keys k
        where k.caller like '% ' || account or k.accounts @> array[account]
        limit batch for update skip locked
      ) returning 1
    ),
    sent as (
      delete from builder.deliveries d where d.id in (
        select d.id from builder.deliveries d where d.account_id = account and (d.webhook_id is null or d.event_id is not null)
        limit batch for update skip locked
      ) returning 1
    ),
    messages as (
      delete from builder.notifications n
      where n.id in (select n.id from builder.notifications n where n.account_id = account limit batch for update skip locked)
      returning 1
    ),
    dismissed as (delete from builder.dismissals d where d.user_id = account returning 1),
    unsubscribed as (delete from builder.unsubscribed_accounts m where m.account_id = account returning 1),
    counters as (delete from builder.customer_quote_numbers n where n.user_id = account returning 1)
  select (select count(*) from idempotency) + (select count(*) from sent) + (select count(*) from messages)
    + (select count(*) from dismissed) + (select count(*) from unsubscribed) + (select count(*) from counters)
$$;


--
-- Name: event_of_call(uuid, uuid, bigint, timestamp with time zone); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.event_of_call(account uuid, quote uuid, event bigint, queued_at timestamp with time zone) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    AS $$
begin
  return coalesce(
    (
      select json_build_object(
        'event', e.event, 'created_at', e.created_at, 'event_id', e.id, 'quote_id', e.quote_id,
        'quote_number', coalesce(q.quote_number, ''), 'account_id', coalesce(q.account_id, e.account_id),
        'status', e.status, 'previous_status', e.previous_status, 'fulfillment_status', e.fulfillment_status,
        'updated_at', e.created_at
      )
      from builder.quote_events e left join builder.quotes q on q.id = e.quote_id
      where e.id = event_of_call.event and quote is not null
    ),
    case when event is null then
      json_build_object('event', 'account.erased', 'created_at', queued_at, 'account_id', account) end,
    json_build_object(
      'event', 'quote_events.skipped', 'created_at', queued_at, 'event_id', event, 'account_id', account
    )
  );
end
$$;


--
-- Name: events_of(builder.quotes, builder.quotes, text, boolean, boolean); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.events_of(old builder.quotes, new builder.quotes, kind text, other_price boolean, other_design boolean) RETURNS text[]
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  stays constant boolean := new.status is not distinct from old.status and new.status <> 'draft';
  is_ordered constant boolean := stays and new.status = 'ordered';
  is_repriced constant boolean := stays and not is_ordered and other_price and builder.sets_price(old, new);
begin
  return array_remove(array[
    case when new.status is distinct from old.status then new.status end,
    case when is_ordered and (other_price or other_design) then 'amended' end,
    case when is_repriced then 'repriced' end,
    case when not is_ordered and (
      other_design or (stays and not is_repriced and (other_price or (kind = 'customer' and builder.opens_change(old, new))))
    ) then 'changed' end,
    case when stays and new.status = 'quoted' and not is_repriced and new.expires_at is distinct from old.expires_at
      then 'end_changed' end,
    case when is_ordered and new.estimated_delivery_at is distinct from old.estimated_delivery_at then 'delivery_changed' end,
    case when new.fulfillment_status is distinct from old.fulfillment_status then new.fulfillment_status end,
    case when new.deleted_at is null and old.deleted_at is not null then 'restored' end,
    case when new.deleted_at is not null and old.deleted_at is null then 'deleted' end
  ], null);
end
$$;


--
-- Name: everyone(); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.everyone() RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$ select '00000000-0000-0000-0000-000000000000'::uuid $$;


--
-- Name: expect_number(text, bigint, bigint, bigint); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.expect_number(error_code text, actual bigint, at_least bigint, at_most bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if actual not between at_least and at_most then
    raise exception using errcode = error_code, message = actual::text;
  end if;
end
$$;


--
-- Name: expire_quotes(integer, uuid[]); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.expire_quotes(batch integer, failed_before uuid[] DEFAULT '{}'::uuid[], OUT swept integer, OUT failed uuid[], OUT code text) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  due constant uuid[] := array(
    select q.id from builder.quotes q
    where q.status in ('draft', 'submitted', 'quoted') and q.deleted_at is null and q.expires_at <= now()
      and q.id <> all (failed_before)
    order by q.expires_at
    limit batch
    for update skip locked
  );
  one uuid;
begin
  failed := '{}';
  begin
    update builder.quotes q set status = 'expired' where q.id = any (due);
    swept := cardinality(due);
    return;
  exception when others then
    swept := 0;
  end;
  foreach one in array due loop
    begin
      update builder.quotes q set status = 'expired' where q.id = one;
      swept := swept + 1;
    exception when others then
      failed := failed || one;
      code := coalesce(code, sqlstate);
    end;
  end loop;
end
$$;


--
-- Name: quote_events; Type: TABLE; Schema: builder; Owner: -
--

CREATE TABLE builder.quote_events (
    id bigint NOT NULL,
    quote_id uuid NOT NULL,
    account_id uuid NOT NULL,
    event text NOT NULL,
    status text NOT NULL,
    previous_status text,
    fulfillment_status text,
    unit_price numeric,
    total_price numeric,
    currency character varying NOT NULL,
    expires_at timestamp with time zone,
    offer integer,
    design_digest text,
    notified boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    created_by uuid,
    created_as text NOT NULL,
    staff_id uuid,
    CONSTRAINT created_as_is_known CHECK ((created_as = ANY (ARRAY['customer'::text, 'staff'::text, 'service'::text, 'sweep'::text])))
);


--
-- Name: fill_message(text, builder.quote_events, text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.fill_message(template text, event builder.quote_events, language text) RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
  select nullif(btrim(string_agg(
    replace(replace(replace(replace(replace(replace(line,
      '{quote_number}', q.quote_number), '{quote_id}', q.id::text), '{currency}', event.currency),
      '{total_price}', coalesce(price.text, '')), '{expires_at}', coalesce(ends.text, '')),
      '{estimated_delivery_at}', coalesce(arrives.text, '')),
    E'\n' order by place
  ), E' \n'), '')
  from builder.quotes q
    cross join lateral (select builder.format_price(event.total_price, event.currency, $3) as text) price
    cross join lateral (select builder.format_time(q.expires_at, q.account_id, $3) as text) ends
    cross join lateral (select builder.format_day(q.estimated_delivery_at, q.account_id, $3) as text) arrives
    cross join unnest(string_to_array(template, E'\n')) with ordinality as lines (line, place)
  where q.id = event.quote_id
    and (price.text is not null or line not like '%{total\_price}%')
    and (ends.text is not null or line not like '%{expires\_at}%')
    and (arrives.text is not null or line not like '%{estimated\_delivery\_at}%')
$_$;


--
-- Name: is_link(text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.is_link(value text) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$ begin return builder.is_url(value) or value ~ '^/([^/]|$)' and builder.is_seen(value); end $_$;


--
-- Name: event_messages; Type: TABLE; Schema: builder; Owner: -
--

CREATE TABLE builder.event_messages (
    event text NOT NULL,
    language text DEFAULT 'en'::text NOT NULL,
    enabled boolean DEFAULT true NOT NULL,
    channel builder.notification_channel NOT NULL,
    type builder.notification_type DEFAULT 'info'::builder.notification_type NOT NULL,
    body text NOT NULL,
    link text DEFAULT '/quotes/{quote_id}'::text,
    audience text DEFAULT 'account'::text NOT NULL,
    CONSTRAINT audience_is_known CHECK ((audience = ANY (ARRAY['account'::text, 'actor'::text, 'staff'::text]))),
    CONSTRAINT body_has_at_most_9000_bytes CHECK ((octet_length(body) <= 9000)),
    CONSTRAINT link_has_at_most_1800_bytes CHECK ((octet_length(link) <= 1800)),
    CONSTRAINT link_is_a_path_or_an_http_url CHECK (builder.is_link(link)),
    CONSTRAINT messages_to_staff_are_emails CHECK (((audience <> 'staff'::text) OR (channel = 'email'::builder.notification_channel)))
);


--
-- Name: find_message(text, text, text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.find_message(event text, audience text, language text) RETURNS builder.event_messages
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
  select m from builder.event_messages m
  where m.event = $1 and m.audience = $2 and m.enabled and builder.language_tag(m.language) = any (builder.languages_for($3))
  order by array_position(builder.languages_for($3), builder.language_tag(m.language)), m.language limit 1
$_$;


--
-- Name: first_call_is_late(uuid); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.first_call_is_late(webhook uuid) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
  select exists (
    select from (
      select d.account_id, d.attempts, d.due_at from builder.deliveries d where d.webhook_id = $1 and d.due_at is not null
      order by d.attempts, d.turn, d.due_at, d.id limit 1
    ) next
    where next.attempts = 0 and next.due_at <= now() - interval '1 minute' and next.account_id not in (
      select d.account_id from builder.deliveries d
      where d.webhook_id = $1 and d.attempted_at > now() - interval '1 minute'
      order by d.attempted_at desc limit 1000
    )
  )
$_$;


--
-- Name: forbid_column(text, text, text, text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.forbid_column(column_name text, why text, hint text, expected text DEFAULT ''::text) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  raise insufficient_privilege using
    message = 'permission denied: ' || why, hint = forbid_column.hint, detail = expected, schema = 'builder', table = 'quotes', column = column_name;
end
$$;


--
-- Name: forget_responses(uuid); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.forget_responses(quote uuid) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  update builder.idempotency_keys k set response = (k.response::jsonb || '{"body": null}')::json, has_body = false
  where k.has_body and strpos(k.response ->> 'body', quote::text) > 0
$$;


--
-- Name: format_day(timestamp with time zone, uuid, text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.format_day(moment timestamp with time zone, account uuid, language text) RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select to_char(
    case when (utc.at)::time in ('00:00', '12:00') then utc.at else local.at end, builder.date_form(language)
  )
  from builder.local_time(moment, account) local, (select moment at time zone 'UTC' as at) utc where isfinite(local.at)
$$;


--
-- Name: format_language(text, text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.format_language(of_text text, of_reader text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select case when builder.language_tag(of_reader) like builder.language_tag(of_text) || '-%' then of_reader else of_text end
$$;


--
-- Name: format_price(numeric, text, text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.format_price(amount numeric, currency text, language text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  decimals constant integer := case
    when currency = any ('{BIF,CLP,DJF,GNF,ISK,JPY,KMF,KRW,PYG,RWF,UGX,UYI,VND,VUV,XAF,XOF,XPF}') then 0
    when currency = any ('{BHD,IQD,JOD,KWD,LYD,OMR,TND}') then 3
    when currency = any ('{CLF,UYW}') then 4
    else 2
  end;
  digits constant text := round(amount, greatest(decimals, scale(trim_scale(amount))))::text;
  symbol constant text := builder.currency_sign(currency, language);
  form constant text := translate(builder.price_form(language), ' _', chr(160) || chr(8239));
  whole constant text := regexp_replace(
    split_part(digits, '.', 1),
    case when form like '%12,34%' then '([0-9])(?=(?:[0-9]{2})*[0-9]{3}$)' else '([0-9])(?=(?:[0-9]{3})+$)' end,
    E'\\1' || substring(form from '([^0-9])[0-9]{3}'), 'g'
  );
  formatted constant text :=
    whole || case when digits like '%.%' then substring(form from '([^0-9])50') || split_part(digits, '.', 2) else '' end;
begin
  return replace(
    regexp_replace(form, '[0-9].*[0-9]', formatted), '¤', symbol || case when symbol = currency and form like '¤1%' then chr(160) else '' end
  );
end
$_$;


--
-- Name: format_quote_number(integer, integer); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.format_quote_number(year integer, number integer) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$ select 'QT-' || year || '-' || lpad(number::text, 5, '0') $$;


--
-- Name: format_time(timestamp with time zone, uuid, text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.format_time(moment timestamp with time zone, account uuid, language text) RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select to_char(local.at, builder.date_form(language) || ', HH24:MI') || ' (' || replace(local.zone, '_', ' ')
    || case when exists (
      select from unnest('{-1 hour,-30 minutes,30 minutes,1 hour}'::interval[]) later
      where (moment + later) at time zone local.zone = local.at
    ) then ', UTC' || case when local.at < moment at time zone 'UTC' then '-' else '+' end
      || to_char(greatest(local.at - moment at time zone 'UTC', moment at time zone 'UTC' - local.at), 'HH24:MI')
    else '' end || ')'
  from builder.local_time(moment, account) local where isfinite(local.at)
$$;


--
-- Name: has_one_design(builder.quotes); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.has_one_design(quote builder.quotes) RETURNS boolean
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select coalesce(bool_and(e.design_digest is not distinct from present.digest), false)
  from (select builder.design_digest(quote) as digest offset 0) present, builder.quote_events e
  where e.quote_id = quote.id and (
    e.design_digest is not null or e.previous_status is null or (e.previous_status = 'draft' and e.status <> 'draft')
  )
$$;


--
-- Name: hinted_update(builder.quotes, text, text[], text[]); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.hinted_update(quote builder.quotes, status text, needed text[], names text[]) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  body constant text[] := array(
    select name from unnest(string_to_array(current_setting('request.columns', true), ',')) name
    where name <> all (array['id', 'status', 'updated_at', 'submitted_at', 'quoted_at'] || needed || names)
  );
  is_long constant boolean := cardinality(body) > 8;
begin
  return array_to_string(
    case when is_long then array['...row'] else '{}' end
    || case when status is not null then array[format('status: ''%s''', status)] else '{}' end || needed
    || array(select name from unnest(body) name where not is_long or name in ('unit_price', 'total_price', 'currency'))
    || builder.named_columns(quote, names), ', ');
end
$$;


--
-- Name: hold_email(builder.deliveries, text, text, timestamp with time zone); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.hold_email(one builder.deliveries, state text, reason text, until timestamp with time zone) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
  update builder.deliveries d
  set due_at = $4, state = $2, hold_reason = case when $2 = 'waiting' then $3 end,
    reason = case when $2 = 'waiting' and one.attempts > 0 then coalesce(d.reason, $3) else $3 end,
    settled_at = case when $2 <> 'waiting' then now() end
  where d.id = one.id
$_$;


--
-- Name: is_announced(builder.quote_events, text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.is_announced(event builder.quote_events, audience text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return (event.event <> 'quote.repriced' or event.status = 'quoted')
    and exists (select from builder.event_messages m where m.event = event.event and m.audience = is_announced.audience and m.enabled)
    and not (event.event = 'quote.changed' and event.design_digest is not null and exists (
      select from builder.quote_events e
      where e.quote_id = event.quote_id and e.created_at >= now() and e.notified and builder.says_change(e)
    ))
    and (
      event.created_as not in ('customer', 'sweep') or (
        select count(*) from (
          select from (
            select e.created_as from builder.quote_events e
            where e.account_id = event.account_id and e.event <> 'quote.changed' and e.created_at > now() - interval '1 day'
            order by e.created_at desc, e.id limit 1000
          ) recent
          where created_as in ('customer', 'sweep') limit 100
        ) announced
      ) < 100
    );
end
$$;


--
-- Name: is_anonymous(builder.quotes); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.is_anonymous(quote builder.quotes) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select quote.customization = builder.anonymous_design(quote.customization) and quote.contact_name is not distinct from 'removed'
    and num_nonnulls(
      quote.contact_email, quote.contact_phone, quote.company, quote.shipping_address, quote.billing_address, quote.customer_notes,
      quote.internal_notes, quote.colors, quote.tool_2d, quote.techpack_file, quote.preview_front_url, quote.preview_back_url,
      quote.avatar_preview
    ) = 0
    and not exists (
      select from builder.quote_offers o where o.quote_id = quote.id and (
        o.customization <> builder.anonymous_design(o.customization)
        or num_nonnulls(o.colors, o.preview_front_url, o.preview_back_url) > 0
      )
    )
$$;


--
-- Name: is_by_staff(builder.quote_events); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.is_by_staff(happened builder.quote_events) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$ select coalesce(happened.created_as in ('staff', 'service') and happened.event <> 'quote.submitted', false) $$;


--
-- Name: is_correction(); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.is_correction() RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return current_setting('builder.correction', true) is not distinct from 'on' and pg_has_role(
    case current_setting('role') when 'none' then session_user else current_setting('role') end,
    (select relowner from pg_class where oid = 'builder.quotes'::regclass), 'usage'
  );
end
$$;


--
-- Name: is_email_address(text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.is_email_address(address text) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
begin
  return char_length(address) <= 254 and address ~ ('^[A-Za-z0-9!#$%&''*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&''*+/=?^_`{|}~-]+)*'
    '@[A-Za-z0-9\u0080-\uffff]+(-+[A-Za-z0-9\u0080-\uffff]+)*(\.[A-Za-z0-9\u0080-\uffff]+(-+[A-Za-z0-9\u0080-\uffff]+)*)+$')
    and strpos(address, '@') <= 65 and address !~ '\.[0-9]+$';
end
$_$;


--
-- Name: is_other_time(timestamp with time zone, timestamp with time zone); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.is_other_time(given timestamp with time zone, stored timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return case when given is null or stored is null then num_nulls(given, stored) = 1
    else given not between stored - interval '999 microseconds' and stored + interval '999 microseconds' end;
end
$$;


--
-- Name: is_quiet(); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.is_quiet() RETURNS boolean
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$ begin return coalesce(current_setting('builder.quiet', true) = 'on', false); end $$;


--
-- Name: is_seen(text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.is_seen(value text) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return octet_length(value) <= 2048 and strpos(value, chr(92)) = 0 and value collate "C" !~ builder.unseen();
end
$$;


--
-- Name: is_size_breakdown(jsonb); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.is_size_breakdown(value jsonb) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
begin
  return jsonb_typeof(value) = 'object'
    and not jsonb_path_exists(
      value, 'strict $.* ? (@.type() != "number" || @ < 0 || @ > 1000000000 || @.floor() != @)'
    )
    and octet_length(value::text) <= 8000;
end
$_$;


--
-- Name: is_superseded(uuid, bigint); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.is_superseded(quote uuid, event bigint) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
  select exists (
    select from builder.quote_events later
      join builder.quote_events earlier on earlier.id = $2
    where later.quote_id = $1 and later.id > $2 and later.notified and builder.supersedes(later.event, earlier.event)
  )
$_$;


--
-- Name: is_there(uuid); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.is_there(quote uuid) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  perform from builder.quotes q
  where q.id = quote and (builder.caller_kind() <> 'customer' or q.account_id = any (builder.caller_account_ids())) for no key update;
  return found;
end
$$;


--
-- Name: judge_quote(builder.quotes, builder.quotes, boolean, boolean); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.judge_quote(old builder.quotes, new builder.quotes, by_customer boolean, moved boolean) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if by_customer then
    if moved or old.deleted_at is not null or new.deleted_at is not null then
      perform builder.check_move(old, new); -- 1, 2
    end if;
    perform builder.check_fields(old, new); -- 2
  elsif old.status = 'draft' and moved and builder.names_version(old, new) then
    perform builder.note_version(old.id);
  end if;
  if (new.status = 'approved' and (old.status is distinct from 'approved' or builder.body_has('status')))
    or (new.status = 'ordered' and old.status not in ('approved', 'ordered')) then
    perform builder.check_approval(old, new); -- 6, and 7
  end if;
  if old.status in ('approved', 'ordered') and new.status not in ('quoted', 'submitted') then
    perform builder.check_terms(old, new); -- 8
  end if;
  if old.id is not null and not by_customer and (builder.sets_price(old, new) or (moved and new.status = 'ordered')) then
    perform builder.check_price(old, new); -- 5, and 7
  end if;
end
$$;


--
-- Name: key_owner(); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.key_owner() RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$ select concat_ws(' ', current_setting('role'), builder.caller_id()) $$;


--
-- Name: language_of(uuid); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.language_of(account uuid) RETURNS text
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return (builder.email_of(account)).language;
exception when others then
  return 'en';
end
$$;


--
-- Name: language_tag(text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.language_tag(language text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$ select lower(translate(regexp_replace(btrim(language), '[.@].*', ''), '_', '-')) $$;


--
-- Name: languages_for(text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.languages_for(language text) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select array(
    select array_to_string(tag.parts[:size], '-')
    from (select string_to_array(builder.language_tag(language), '-') as parts) tag, generate_series(cardinality(tag.parts), 1, -1) size
  ) || 'en'::text
$$;


--
-- Name: last_read(pg_snapshot, bigint); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.last_read(since pg_snapshot, since_id bigint) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select least(min(id + 0) - 1, since_id) from builder.changes
  where xid >= pg_snapshot_xmin(since) and xid < pg_snapshot_xmax(pg_current_snapshot()) and id <= since_id
    and not pg_visible_in_snapshot(xid, since)
$$;


--
-- Name: live_query(json); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.live_query(reading json) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
  select format(
    'select position::integer, case when clock_timestamp() < $2 then json_object(%L, array[%s]::text[]) end as record, '
      || 'array_remove(array[%s]::text[], null) as met '
      || 'from unnest($1::%s[]) with ordinality as given (key, position) join builder.%I r on r.id = key',
    array(select json_array_elements_text(reading -> 'columns'))::text,
    (
      select string_agg(
        format('case when r.%1$I is null then ''null'' when pg_column_size(r.%1$I) <= $3 then to_json(r.%1$I)::text end', name),
        ', ' order by number)
      from json_array_elements_text(reading -> 'columns') with ordinality as columns (name, number)
    ),
    (
      select string_agg(format('case when %s then %L end', value, key), ', ')
      from json_each_text(reading -> 'conditions')
    ),
    (
      select format_type(atttypid, atttypmod) from pg_attribute
      where attrelid = ('builder.' || quote_ident(reading ->> 'table'))::regclass and attname = 'id'
    ),
    reading ->> 'table'
  )
$_$;


--
-- Name: local_time(timestamp with time zone, uuid); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.local_time(moment timestamp with time zone, account uuid, OUT at timestamp without time zone, OUT zone text) RETURNS record
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  begin
    zone := builder.time_zone_of(account);
    at := moment at time zone zone;
  exception when others then
    zone := null;
  end;
  if zone is null then
    zone := 'UTC';
    at := moment at time zone zone;
  end if;
end
$$;


--
-- Name: lock_notifications_of_customer(bigint[]); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.lock_notifications_of_customer(ids bigint[]) RETURNS SETOF bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  caller constant uuid := builder.caller_id();
begin
  perform pg_advisory_xact_lock('builder.dismissals'::regclass::oid::integer, hashtext(caller::text));
  perform from builder.notifications n
    where n.id = any (ids) and n.account_id = any (builder.caller_account_ids()) order by n.id for no key update;
  perform from builder.dismissals d
    where d.notification_id = any (ids) and d.user_id = caller order by d.notification_id for update;
  return query select unnest(ids);
end
$$;


--
-- Name: locked_rows(uuid); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.locked_rows(account uuid) RETURNS TABLE(of_table text, key text, process integer)
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  with locked as (
    select 'quote' as of_table, q.id::text as key, q.xmax as by from builder.quotes q
    where q.account_id = account
      and q.id not in (select q.id from builder.quotes q where q.account_id = account for update skip locked)
    union all
    select 'notification', n.id::text, n.xmax from builder.notifications n
    where n.account_id = account
      and n.id not in (select n.id from builder.notifications n where n.account_id = account for update skip locked)
    union all
    select 'delivery', d.id::text, d.xmax from builder.deliveries d
    where d.account_id = account
      and d.id not in (select d.id from builder.deliveries d where d.account_id = account for update skip locked)
  )
  select l.of_table, l.key, p.pid from locked l
    left join pg_locks p on p.locktype = 'transactionid' and p.transactionid = l.by and p.granted
$$;


--
-- Name: mark_cut(json, boolean); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.mark_cut(list json, is_cut boolean) RETURNS json
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if is_cut then
    perform set_config('response.cut', 'true', true);
  end if;
  return list;
end
$$;


--
-- Name: may_call(text, boolean); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.may_call(url text, only_loopback boolean) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$ select not $2 or $1 ~ '^http://127[.]0[.]0[.]1:[0-9]+([/?]|$)' $_$;


--
-- Name: name_pattern(text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.name_pattern(name text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
  select '(?<![0-9A-Za-z\u00c0-\u1fff][-_''’]?)'
    || regexp_replace(regexp_replace(normalize(name, nfc), '[][\\.^$*+?(){}|]', '\\\&', 'g'), '[''’]', '[''’]', 'g')
    || '(?![-_]?[0-9A-Za-z\u00c0-\u1fff])(?![''’](?:[0-9A-RT-Za-rt-z\u00c0-\u1fff]|[0-9A-Za-z\u00c0-\u1fff]{2}))'
$_$;


--
-- Name: named_columns(builder.quotes, text[]); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.named_columns(quote builder.quotes, names text[]) RETURNS text[]
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return array(select name from unnest(names) name where case name
    when 'submitted_at' then quote.submitted_at is not null when 'quoted_at' then quote.quoted_at is not null else true end);
end
$$;


--
-- Name: named_parts(builder.quotes, text, text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.named_parts(quote builder.quotes, was text, becomes text) RETURNS builder.quotes
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  quote.contact_name := nullif(builder.replace_name(quote.contact_name, was, becomes), '');
  quote.company := nullif(builder.replace_name(quote.company, was, becomes), '');
  quote.customer_notes := nullif(builder.replace_name(quote.customer_notes, was, becomes), '');
  quote.internal_notes := nullif(builder.replace_name(quote.internal_notes, was, becomes), '');
  quote.tool_2d := nullif(builder.replace_name(quote.tool_2d, was, becomes), '');
  quote.shipping_address := builder.replace_name(quote.shipping_address, was, becomes);
  quote.billing_address := builder.replace_name(quote.billing_address, was, becomes);
  quote.customization := builder.replace_name(quote.customization, was, becomes);
  quote.colors := builder.replace_name(quote.colors, was, becomes);
  return quote;
end
$$;


--
-- Name: names(text, boolean); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.names(column_name text, is_stored boolean) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return (
    coalesce(current_setting('request.rows', true) = 'one', false)
    and coalesce(column_name = any (string_to_array(current_setting('request.compared', true), ',')), false)
  ) or (coalesce(is_stored, false) and builder.body_names(column_name));
end
$$;


--
-- Name: names_offer(builder.quotes, builder.quotes); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.names_offer(old builder.quotes, new builder.quotes) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$ begin return builder.names('quoted_at', new.quoted_at = old.quoted_at); end $$;


--
-- Name: names_price(builder.quotes, builder.quotes); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.names_price(old builder.quotes, new builder.quotes) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$ begin return builder.names('total_price', new.total_price = old.total_price); end $$;


--
-- Name: names_submission(builder.quotes, builder.quotes); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.names_submission(old builder.quotes, new builder.quotes) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$ begin return old.submitted_at is null or builder.names('submitted_at', new.submitted_at = old.submitted_at); end $$;


--
-- Name: names_version(builder.quotes, builder.quotes); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.names_version(old builder.quotes, new builder.quotes) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$ begin return builder.names('updated_at', new.updated_at = old.updated_at); end $$;


--
-- Name: naming_hint(builder.quotes, text, text[], text[]); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.naming_hint(quote builder.quotes, status text, needed text[], names text[]) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  named constant text := array_to_string(builder.named_columns(quote, names), ', ');
  update constant text := builder.hinted_update(quote, status, needed, names);
begin
  if current_setting('request.rows', true) = 'keyed' then
    return format('Read the quote %s again, and send exactly what you read of %s in its row of the array: { id, %s }. All rows need '
      'the same keys.', quote.id, named, update);
  end if;
  return format('Read it again, and send exactly what you read of %s: .update({ %s }).eq(''id'', id).select(''status'').single()'
    '.throwOnError(). Over HTTP: PATCH …/quotes?id=eq.%s, with them in the body.', named, update, quote.id);
end
$$;


--
-- Name: next_attempt_at(builder.deliveries, text, double precision); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.next_attempt_at(one builder.deliveries, outcome text, retry_after double precision) RETURNS timestamp with time zone
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  schedule constant integer[] := builder.retry_schedule(one.kind);
  is_last constant boolean := one.attempts > cardinality(schedule);
begin
  return case
    -- 20 % jitter, so that deliveries that were due together are not due together again.
    when outcome = 'failed' and not is_last then now() + interval '1 second' * greatest(
      round(schedule[one.attempts] * (0.8 + 0.4 * random())), coalesce(retry_after, 0)
    )
    when outcome = 'unanswered' and not is_last and not one.unanswered then now() + interval '10 minutes'
    -- The next claim checks for another address, and then each hour.
    when outcome = 'refused' and one.webhook_id is null then now() + interval '1 minute'
    when outcome = 'unavailable' then (select p.mail_paused_until from builder.delivery_pace p)
  end;
end
$$;


--
-- Name: next_quote_number(); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.next_quote_number() RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  this_year constant integer := extract(year from now() at time zone 'UTC');
  is_customer constant boolean := builder.caller_kind() = 'customer';
  for_staff constant integer := 5000;
  number integer;
begin
  if is_customer then
    perform builder.count_customer_number(this_year);
  end if;
  insert into builder.quote_numbers values (this_year, 0) on conflict (year) do nothing;
  select last_number + 1 into number from builder.quote_numbers where year = this_year for update;
  if number <= 99999 and exists (
    select from builder.imported_quote_numbers b where b.quote_number = builder.format_quote_number(this_year, number)
  ) then
    select min(taken.number) + 1 into number
    from (
      select right(b.quote_number, 5)::integer as number,
        lead(right(b.quote_number, 5)::integer) over (order by b.quote_number collate "C") as next
      from builder.imported_quote_numbers b
      where b.quote_number between builder.format_quote_number(this_year, number)
        and builder.format_quote_number(this_year, 99999)
    ) taken
    where taken.next is null or taken.next > taken.number + 1;
  end if;
  if number > 99999 or is_customer and number > 99999 - for_staff then
    raise sqlstate 'PT409' using constraint = 'quote numbers of a year',
      message = format(
        case when is_customer then 'All quote numbers for customers of %s are taken' else 'All quote numbers of %s are taken' end,
        this_year
      ),
      detail = format('Each year has 99999 quote numbers, the last %s of them for staff.', for_staff),
      hint = 'Choose the number of the quote yourself.';
  end if;
  update builder.quote_numbers set last_number = number where year = this_year;
  return builder.format_quote_number(this_year, number);
end
$$;


--
-- Name: next_turn(uuid, uuid); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.next_turn(account uuid, webhook uuid) RETURNS integer
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
begin
  return greatest(
    (
      select d.turn + 1 from builder.deliveries d
      where d.account_id = $1 and d.webhook_id = $2 and d.state in ('waiting', 'sending')
      order by d.turn desc limit 1
    ),
    (
      select d.turn + 1 from builder.deliveries d
      where $2 is null and d.account_id = $1 and d.webhook_id is null and d.state in ('waiting', 'sending')
      order by d.turn desc limit 1
    ),
    (
      select d.turn from builder.deliveries d where d.webhook_id = $2 and d.attempts = 0 and d.due_at is not null
      order by d.turn limit 1
    ),
    0
  );
end
$_$;


--
-- Name: note_version(uuid); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.note_version(quote uuid) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  perform set_config('builder.named_drafts', concat_ws(',', nullif(current_setting('builder.named_drafts', true), ''), quote), true);
end
$$;


--
-- Name: notify_account(builder.quote_events, text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.notify_account(happened builder.quote_events, audience text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  reader constant text := builder.language_of(happened.account_id);
  message constant builder.event_messages := builder.find_message(happened.event, audience, reader);
  written constant text := builder.format_language(message.language, reader);
  text text := builder.fill_message(message.body, happened, written);
  undone constant text := builder.fill_message(
    (builder.find_message(builder.undone_by(happened), audience, reader)).body, happened, written
  );
  notification bigint;
begin
  if text is null then
    return false;
  elsif undone is not null then
    -- A quote that is no longer ordered is approved as before.
    text := concat_ws(E'\n', undone, case when happened.status <> 'approved' or happened.previous_status <> 'ordered' then text end);
  end if;
  if builder.says_change(happened) then
    text := concat_ws(
      E'\n', text, builder.fill_message((builder.find_message('quote.changed', audience, reader)).body, happened, written)
    );
  end if;
  insert into builder.notifications (account_id, type, body, link, channel, dismissed)
  select happened.account_id, message.type, case when octet_length(text) > 10000 then left(text, 2500) else text end,
    case when builder.is_link(filled.link) then filled.link end,
    case when happened.created_as = 'sweep' and happened.previous_status = 'draft' then 'in_app' else message.channel end, false
  from (
    select replace(builder.fill_message(message.link, happened, written), ' ', '%20') as link
  ) filled
  returning id into notification;
  update builder.deliveries set event_id = happened.id, quote_id = happened.quote_id where notification_id = notification;
  return true;
end
$$;


--
-- Name: open_fields(text, text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.open_fields(field text, status text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  by_draft constant text := format('To change it, make it a draft again in the same request: .update({ status: ''draft'', %s }).', field);
  still_open constant text := 'Still open: status, ' || (
    select string_agg(name, ', ') from builder.quote_columns()
    where list = 'until ordered' or (list = 'until quoted' and open_fields.status = 'submitted')
  );
begin
  return case status
    when 'submitted' then format('%s %s.', by_draft, still_open)
    when 'quoted' then still_open || '. To change others, move it to submitted, and then to draft.'
    when 'approved' then still_open || '.'
    when 'rejected' then by_draft
    when 'expired' then by_draft
    else ''
  end;
end
$$;


--
-- Name: opens_change(builder.quotes, builder.quotes); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.opens_change(old builder.quotes, new builder.quotes) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return coalesce(
    builder.changed_column(old, new, 'until ordered'), builder.changed_column(old, new, 'until quoted')
  ) is not null and not exists (
    select from (
      select e.event, e.created_as from builder.quote_events e where e.quote_id = new.id order by e.id desc limit 1
    ) last
    where last.event = 'quote.changed' and last.created_as = 'customer'
  );
end
$$;


--
-- Name: planned_rows(text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.planned_rows(query text) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  plan json;
begin
  execute 'explain (format json) ' || query into plan;
  return plan -> 0 -> 'Plan' ->> 'Plan Rows';
end
$$;


--
-- Name: prepare_email_claim(integer, text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.prepare_email_claim(a_day integer, staff text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  -- Claims wait for each other, so that the limits hold.
  perform pg_advisory_xact_lock('builder.deliveries'::regclass::oid::bigint);
  update builder.delivery_pace p set staff_address = staff where p.staff_address is distinct from staff;
  perform builder.end_delivery(
    old.id, case when old.attempts > 0 then 'dead' else 'skipped' end, 'too old' || coalesce(': ' || old.reason, '')
  ) from (
    select d.id, d.attempts, d.reason from builder.deliveries d
    where d.webhook_id is null and d.due_at <= now() and d.queued_at <= now() - interval '3 days'
    order by d.queued_at limit 500 for update skip locked
  ) old;
  return a_day - (
    select count(*) from builder.deliveries d where d.webhook_id is null and d.attempted_at > now() - interval '1 day'
  );
end
$$;


--
-- Name: price_form(text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.price_form(language text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select case
    when regional = any ('{es-419,es-br,es-bz,es-cu,es-do,es-gt,es-hn,es-mx,es-ni,es-pa,es-pr,es-sv,es-us}') then '¤1,234.50'
    when regional = any ('{de-ch,de-li,it-ch}') then '¤ 1’234.50'
    when regional = any ('{en-mv,es-pe}') then '¤ 1,234.50'
    when regional = any ('{de-at,en-at,es-ar,es-co,es-py,es-uy}') then '¤ 1.234,50'
    when regional = any ('{en-id,es-bo,es-cl,es-ec,es-gq,es-ve}') then '¤1.234,50'
    when regional = any ('{en-za,es-cr}') then '¤1 234,50'
    when regional = any ('{fr-ca,pt-ao,pt-ch,pt-cv,pt-gq,pt-gw,pt-lu,pt-mo,pt-mz,pt-pt,pt-st,pt-tl}') then '1 234,50 ¤'
    when regional = any ('{fr-lu,fr-ma}') then '1.234,50 ¤'
    when regional = 'fr-ch' then '1_234.50 ¤'
    when regional = 'en-in' or base = any ('{gu,hi,pa,ta,te}') then '¤12,34,567.50'
    when base = 'fr' then '1_234,50 ¤'
    when base = any ('{nl,pt}') then '¤ 1.234,50'
    when base = any ('{id,tr}') then '¤1.234,50'
    when base = any ('{bs,ca,da,de,el,es,eu,gl,hr,is,it,mk,ro,sl,sr,vi}') then '1.234,50 ¤'
    when base = any ('{bg,cs,et,fi,hu,lt,lv,nb,nn,no,pl,ru,sk,sq,sv,uk}') then '1 234,50 ¤'
    when base = 'af' then '¤1 234,50'
    else '¤1,234.50'
  end
  from builder.split_language(language)
$$;


--
-- Name: prune_changes(integer); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.prune_changes(batch integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  pruned integer;
begin
  with oldest as (
    select ctid, at from builder.changes
    order by id
    limit batch
    for update skip locked
  )
  delete from builder.changes using oldest
  where changes.ctid = oldest.ctid and oldest.at <= now() - interval '2 hours';
  get diagnostics pruned = row_count;
  return pruned;
end
$$;


--
-- Name: prune_deliveries(integer); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.prune_deliveries(batch integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  pruned integer;
begin
  with ended as (
    select d.id from builder.deliveries d
    where d.due_at is null and d.settled_at <= now() - case when d.state = 'dead' then interval '90 days' else interval '30 days' end
    order by d.settled_at
    limit batch
    for update skip locked
  )
  delete from builder.deliveries d using ended where d.id = ended.id;
  get diagnostics pruned = row_count;
  delete from builder.deliveries d where d.webhook_id is not null and d.event_id is null and d.due_at is null;
  delete from builder.refused_addresses where refused_at <= now() - interval '7 days';
  return pruned;
end
$$;


--
-- Name: prune_idempotency_keys(integer); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.prune_idempotency_keys(batch integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  pruned integer;
begin
  with due as (
    select k.caller, k.key from builder.idempotency_keys k
    where k.created_at <= now() - interval '1 day'
    order by k.created_at
    limit batch
    for update skip locked
  )
  delete from builder.idempotency_keys k using due where k.caller = due.caller and k.key = due.key;
  get diagnostics pruned = row_count;
  return pruned;
end
$$;


--
-- Name: prune_notifications(integer); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.prune_notifications(batch integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  pruned integer;
begin
  with due as (
    select id from builder.notifications
    where expires_at <= now()
    order by expires_at
    limit batch
    for update skip locked
  )
  delete from builder.notifications using due where notifications.id = due.id;
  get diagnostics pruned = row_count;
  return pruned;
end
$$;


--
-- Name: queue_call(builder.quote_events, uuid); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.queue_call(happened builder.quote_events, webhook uuid) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
begin
  with tail as (
    select builder.next_turn(happened.account_id, $2) as turn
  ), older as (
    select d.id, d.turn from builder.deliveries d
    where d.quote_id = happened.quote_id and d.webhook_id = $2 and d.state = 'waiting' and d.attempts = 0
    order by d.turn limit 1 for update skip locked
  ), moved as (
    update builder.deliveries d set turn = (select tail.turn from tail) where d.id = (select older.id from older)
  )
  insert into builder.deliveries (kind, account_id, quote_id, webhook_id, event_id, turn)
  select 'webhook', happened.account_id, happened.quote_id, $2, happened.id,
    coalesce((select older.turn from older), tail.turn)
  from tail;
end
$_$;


--
-- Name: queue_calls(builder.quote_events); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.queue_calls(happened builder.quote_events) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  hook uuid;
begin
  for hook in
    select w.id from builder.webhooks w
    where w.disabled_at is null and (w.events is null or happened.event = any (w.events))
    -- Before any delivery is locked, as when a webhook is deleted.
    for key share
  loop
    -- While that call waits, it covers later events. It is locked, so that it is not claimed before they are committed.
    perform from builder.deliveries d
    where d.quote_id is null and d.event_id is not null and d.webhook_id = hook and d.account_id = happened.account_id
      and d.state = 'waiting'
    limit 1 for key share;
    continue when found;
    if 1000 <= (
      select count(*) from (
        select from builder.deliveries d
        where d.account_id = happened.account_id and d.webhook_id = hook and d.state in ('waiting', 'sending')
        limit 1000
      ) waiting
    ) then
      insert into builder.deliveries (kind, account_id, webhook_id, event_id, turn)
      values ('webhook', happened.account_id, hook, happened.id, builder.next_turn(happened.account_id, hook));
    else
      perform builder.queue_call(happened, hook);
    end if;
  end loop;
end
$$;


--
-- Name: queue_email(); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.queue_email() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  insert into builder.deliveries (kind, account_id, notification_id, turn)
  values ('email', new.account_id, new.id, builder.next_turn(new.account_id, null))
  on conflict do nothing;
  return null;
end
$$;


--
-- Name: queue_messages(); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.queue_messages() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  by_customer constant boolean := new.created_as = 'customer';
  audience constant text := case when by_customer then 'actor' else 'account' end;
begin
  if new.previous_status is null and not by_customer
    and exists (select from builder.quotes q where q.id = new.quote_id and q.source = 'csv_import')
  then
    return new;
  end if;
  perform builder.queue_calls(new);
  if by_customer and (new.previous_status is distinct from 'draft' or new.event = 'quote.submitted')
    and builder.is_announced(new, 'staff')
  then
    insert into builder.deliveries (kind, account_id, quote_id, event_id, turn)
    select 'staff_email', new.account_id, new.quote_id, new.id, builder.next_turn(new.account_id, null)
    from builder.delivery_pace p where p.staff_address is not null;
  end if;
  if new.account_id <> builder.everyone() and builder.is_announced(new, audience) then
    new.notified := builder.notify_account(new, audience);
  end if;
  return new;
end
$$;


--
-- Name: quote_columns(); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.quote_columns() RETURNS TABLE(name text, list text)
    LANGUAGE sql IMMUTABLE ROWS 50 PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select unnest(names), list from (values
    -- A customer changes these until the quote is ordered or closed, and while it asks again.
    ('until ordered', '{
      customer_notes, contact_name, contact_email, contact_phone, company, shipping_address, billing_address, delivery_method,
      preview_front_url, preview_back_url, avatar_preview
    }'::text[]),
    -- A customer changes these until the quote is quoted: pictures may be cut from them.
    ('until quoted', '{tool_2d, techpack_file}'),
    -- A customer changes these only in a draft. Those of the first line are terms of an offer (builder.design), and so is currency.
    ('in a draft', '{
      product_id, design_id, sport, rush_order, roster_count, size_breakdown, colors, customization,
      currency, account_id, quote_number, source, created_by, event_date
    }'),
    -- A customer may send these, and the rules decide what is stored.
    ('by rules', '{status, submitted_at, approved_at, created_at, updated_at, deleted_at}'),
    -- Only staff change these. Customers read them.
    ('by staff', '{unit_price, total_price, quoted_at, expires_at, fulfillment_status, estimated_delivery_at}'),
    -- Only staff read and change these.
    ('hidden', '{internal_notes, quoted_by}'),
    -- Nobody changes an id, since other tables refer to it.
    ('fixed', '{id}')
  ) known (list, names)
$$;


--
-- Name: read_changes(bigint[], json, json, json); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.read_changes(ids bigint[], callers json, readings json, bounds json) RETURNS TABLE(caller integer, seen integer[], partial boolean, line integer, record json, met text[])
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
declare
  whole constant integer := bounds ->> 'record_bytes';
  share constant interval := (bounds ->> 'caller_ms')::integer * interval '1 millisecond';
  until constant timestamp with time zone :=
    clock_timestamp() + (bounds ->> 'total_ms')::integer * interval '1 millisecond';
  queries constant json := (select json_object_agg(key, builder.live_query(value)) from json_each(readings));
  is_read boolean[] := array_fill(false, array[2 * cardinality(ids) + 1], array[-cardinality(ids)]);
  left_bytes bigint := bounds ->> 'answer_bytes';
  one record;
  wanted integer[];
  first_unread integer;
begin
  for one in select number::integer, value from json_array_elements(callers) with ordinality given (value, number) loop
    exit when clock_timestamp() > until or left_bytes < 0;
    perform set_config('request.jwt.claims', one.value ->> 0, true);
    seen := builder.seen_lines(array(select json_array_elements_text(one.value -> 1)::integer), ids);
    wanted := array(
      select candidate from unnest(seen) candidate
        cross join lateral (select operation from builder.changes where id = ids[abs(candidate)] offset 0) changed
      where operation <> 'D' and not is_read[candidate]
    );
    for line, record, met in
      select * from builder.read_rows(wanted, ids, queries, whole, left_bytes, least(until, clock_timestamp() + share))
    loop
      is_read[line] := true;
      left_bytes := left_bytes - octet_length(record::text);
      return query select null::integer, null::integer[], null::boolean, line, record, met;
    end loop;
    first_unread := (select min(abs(candidate)) from unnest(wanted) candidate where not is_read[candidate]);
    return query select one.number,
      array(select candidate from unnest(seen) candidate where first_unread is null or abs(candidate) < first_unread),
      first_unread is not null, null::integer, null::json, null::text[];
  end loop;
end
$$;


--
-- Name: read_rows(integer[], bigint[], json, integer, bigint, timestamp with time zone); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.read_rows(lines integer[], ids bigint[], queries json, record_bytes integer, most bigint, until timestamp with time zone) RETURNS TABLE(line integer, record json, met text[])
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
declare
  collected record;
  result record;
begin
  for collected in
    select c.collection, array_agg(given) as lines, array_agg(c.key) as keys
    from unnest(lines) given cross join lateral (select * from builder.changes where id = ids[abs(given)] offset 0) c
    group by c.collection
  loop
    for result in execute queries ->> collected.collection using collected.keys, until, record_bytes loop
      exit when result.record is null or most < 0;
      line := collected.lines[result.position];
      record := builder.shorten_record(result.record, record_bytes);
      met := result.met;
      most := most - octet_length(record::text);
      return next;
    end loop;
  end loop;
end
$$;


--
-- Name: record_call_result(uuid, text, text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.record_call_result(webhook uuid, outcome text, reason text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if outcome = 'sent' then
    update builder.webhooks w set failing_since = null where w.id = webhook and w.failing_since is not null;
    return;
  end if;
  update builder.webhooks w set failing_since = coalesce(w.failing_since, now()) where w.id = webhook;
  update builder.webhooks w set disabled_at = now(), disabled_because = record_call_result.reason
  where w.id = webhook and w.disabled_at is null
    and (outcome = 'refused' or w.failing_since < now() - interval '5 days');
end
$$;


--
-- Name: record_changes(); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.record_changes() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  marks_deleted constant boolean := tg_nargs > 0;
begin
  if tg_op = 'UPDATE' and marks_deleted then
    insert into builder.changes (collection, operation, account_id, key)
    select tg_table_name, case when later.id is null then 'D' when earlier.id is null then 'I' else 'U' end::"char",
      account_id, id::text
    from (select account_id, id from old_rows where deleted_at is null) earlier
      full join (select account_id, id from new_rows where deleted_at is null) later using (account_id, id)
    order by 2;
  elsif tg_op = 'UPDATE' then
    insert into builder.changes (collection, operation, account_id, key)
    select tg_table_name, case when later.id is null then 'D' when earlier.id is null then 'I' else 'U' end::"char",
      account_id, id::text
    from old_rows earlier full join new_rows later using (account_id, id)
    order by 2;
  elsif tg_op = 'INSERT' and marks_deleted then
    insert into builder.changes (collection, operation, account_id, key)
    select tg_table_name, 'I', account_id, id::text from new_rows where deleted_at is null;
  elsif tg_op = 'INSERT' then
    insert into builder.changes (collection, operation, account_id, key)
    select tg_table_name, 'I', account_id, id::text from new_rows;
  elsif marks_deleted then
    insert into builder.changes (collection, operation, account_id, key)
    select tg_table_name, 'D', account_id, id::text from old_rows where deleted_at is null;
  else
    insert into builder.changes (collection, operation, account_id, key)
    select tg_table_name, 'D', account_id, id::text from old_rows;
  end if;
  return null;
end
$$;


--
-- Name: record_dismissals(); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.record_dismissals() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  insert into builder.changes (collection, operation, account_id, user_id, key)
  select 'notifications', 'U', n.account_id, d.user_id, n.id::text
  from changed_rows d join builder.notifications n on n.id = d.notification_id and n.account_id = builder.everyone();
  return null;
end
$$;


--
-- Name: record_history(); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.record_history() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  kind constant text := builder.caller_kind();
  after_draft constant boolean := coalesce(old.status, 'draft') <> 'draft' and new.status <> 'draft';
  other_design constant boolean := after_draft and old::builder.design is distinct from new::builder.design;
  other_price constant boolean := after_draft and old::builder.price is distinct from new::builder.price;
  events constant text[] := builder.events_of(old, new, kind, other_price, other_design);
  has_price constant boolean := new.status <> 'draft' and (new.unit_price is not null or new.total_price is not null);
begin
  if builder.is_correction() then
    return null;
  end if;
  if new.account_id <> old.account_id then
    update builder.quote_events set account_id = new.account_id where quote_id = new.id;
    update builder.quote_offers set account_id = new.account_id where quote_id = new.id;
  end if;
  if events = '{}' then
    return null;
  elsif has_price then
    perform builder.record_offer(new);
  end if;
  insert into builder.quote_events (
    quote_id, account_id, event, status, previous_status, fulfillment_status, unit_price, total_price, currency, expires_at,
    offer, design_digest, created_by, created_as, staff_id
  )
  select new.id, new.account_id, 'quote.' || event, new.status, old.status, new.fulfillment_status, new.unit_price,
    new.total_price, new.currency, new.expires_at,
    case when has_price then (select max(o.number) from builder.quote_offers o where o.quote_id = new.id) end,
    shown.digest, case when kind = 'customer' then builder.caller_id() end, kind, case when kind = 'staff' then builder.caller_id() end
  from unnest(events) event, (select builder.shown_design(old, new, kind, other_design) as digest offset 0) shown;
  return null;
end
$$;


--
-- Name: record_imported_number(); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.record_imported_number() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  insert into builder.imported_quote_numbers values (new.quote_number) on conflict do nothing;
  return null;
end
$$;


--
-- Name: record_mail_result(text, text, text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.record_mail_result(address text, outcome text, reason text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if outcome = 'sent' then
    update builder.delivery_pace p set mail_pause = interval '0', mail_failing_since = null, mail_sent_at = now()
    where p.mail_failing_since is not null or p.mail_pause > interval '0' or p.mail_sent_at is null
      or p.mail_sent_at < now() - interval '1 minute';
  elsif outcome = 'refused' then
    insert into builder.refused_addresses values (record_mail_result.address, now(), record_mail_result.reason)
    on conflict on constraint refused_addresses_pkey do update set refused_at = now(), reason = excluded.reason;
  elsif outcome in ('failed', 'unavailable', 'unanswered') then
    update builder.delivery_pace p set mail_failing_since = now() where p.mail_failing_since is null;
  end if;
  if outcome = 'unavailable' then
    -- Only once for e-mails that fail at the same time.
    update builder.delivery_pace p set mail_pause = longer.pause, mail_paused_until = now() + longer.pause
    from (
      select least(greatest(c.mail_pause * 2, interval '10 seconds'), interval '5 minutes') as pause
      from builder.delivery_pace c
    ) longer
    where p.mail_paused_until <= now();
  end if;
end
$$;


--
-- Name: record_offer(builder.quotes); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.record_offer(quote builder.quotes) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  last builder.quote_offers;
  terms text;
begin
  select * into last from builder.quote_offers o where o.quote_id = quote.id order by o.number desc limit 1;
  if last::builder.terms is not distinct from quote::builder.terms then
    return;
  end if;
  select string_agg(quote_ident(attname), ', ') into terms
  from pg_attribute where attrelid = 'builder.terms'::regclass and attnum > 0 and not attisdropped;
  execute format(
    'insert into builder.quote_offers (quote_id, account_id, number, preview_front_url, preview_back_url, created_as, %1$s)
    select id, account_id, $2, preview_front_url, preview_back_url, $3, %1$s from builder.quotes where id = $1', terms
  ) using quote.id, coalesce(last.number, 0) + 1, builder.caller_kind();
end
$_$;


--
-- Name: record_sweep(); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.record_sweep() RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$ update builder.sweeps set succeeded_at = now() $$;


--
-- Name: redeliver(bigint); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.redeliver(id bigint) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  one builder.deliveries;
begin
  select * into one from builder.deliveries d where d.id = redeliver.id for update;
  if not found then
    raise sqlstate 'PT404' using message = 'The row of deliveries was not found, so nothing was written',
      detail = 'No row with this id exists, or this caller cannot see it.';
  end if;
  if one.state = 'sending' then
    raise sqlstate 'PT409' using constraint = 'delivery being sent', message = 'The delivery is being sent.',
      hint = 'Read its state again in a few minutes.';
  end if;
  if exists (select from builder.webhooks w where w.id = one.webhook_id and w.disabled_at is not null) then
    raise sqlstate 'PT409' using constraint = 'webhook disabled', message = 'The webhook of the delivery is disabled.',
      hint = 'Enable it first: npm run webhook -- enable <id>.';
  end if;
  delete from builder.refused_addresses r where r.address = one.address;
  update builder.deliveries d
  set state = 'waiting', due_at = now(), queued_at = clock_timestamp(), attempts = 0, reason = null, settled_at = null,
    hold_reason = null, unanswered = false, turn = builder.next_turn(one.account_id, one.webhook_id)
  where d.id = one.id;
  return json_build_object('id', one.id, 'state', 'waiting');
end
$$;


--
-- Name: refuse_blank_body(); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.refuse_blank_body() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$ begin perform builder.refuse_value('notifications', 'body_is_not_blank'); return null; end $$;


--
-- Name: refuse_changed_offer(uuid); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.refuse_changed_offer(quote_id uuid) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  quote builder.quotes;
  wanted builder.quotes;
begin
  select q.id, q.status, q.quoted_at into quote.id, quote.status, quote.quoted_at from builder.quotes q where q.id = quote_id;
  wanted.status := 'approved';
  perform builder.check_move(quote, wanted);
  perform builder.refuse_other_offer(quote, wanted.status, true);
end
$$;


--
-- Name: refuse_changes(text, text, text[], text, json); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.refuse_changes(collection text, privilege text, columns text[], key text, judged json) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if coalesce(cardinality(columns), 0) = 0 then
    return null;
  elsif collection = 'quotes' and judged ->> 'status' = 'approved' and columns && '{total_price, quoted_at}' then
    perform builder.refuse_changed_offer(key::uuid);
  end if;
  raise exception using
    errcode = 'PG403', message = 'columns differ', detail = json_build_object('columns', columns, 'privilege', privilege);
end
$$;


--
-- Name: refuse_earlier_version(builder.quotes, builder.quotes); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.refuse_earlier_version(old builder.quotes, new builder.quotes) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if builder.body_names('updated_at') and new.updated_at <= old.updated_at - interval '1 millisecond' then
    raise sqlstate 'PT409' using constraint = 'rule 5, price',
      message = 'The quote has changed since it was read, so nothing was written',
      detail = 'The updated_at of the request is earlier than the stored one.',
      hint = builder.naming_hint(old, case when new.status <> old.status then new.status end, '{}', array['updated_at', 'submitted_at', 'quoted_at']);
  end if;
end
$$;


--
-- Name: refuse_other_offer(builder.quotes, text, boolean); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.refuse_other_offer(quote builder.quotes, status text, is_other_price boolean) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  raise sqlstate 'PT409' using constraint = 'rule 6, approval',
    message = 'The offer has changed, so nothing was written',
    detail = 'The total_price or quoted_at of the request is not the stored one.',
    hint = case when is_other_price and builder.caller_kind() <> 'customer' then 'To agree to another price, set the price first, then '
        || 'approve. ' || builder.naming_hint(quote, 'quoted', array['unit_price', 'total_price'], array['updated_at', 'submitted_at'])
      else builder.naming_hint(quote, status, '{}', array['total_price', 'quoted_at']) end;
end
$$;


--
-- Name: refuse_response(); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.refuse_response() RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  raise exception using errcode = 'PG413',
    message = ceil(1000 * extract(epoch from clock_timestamp() - statement_timestamp()))::text;
end
$$;


--
-- Name: refuse_value(text, text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.refuse_value(table_name text, constraint_name text) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  raise check_violation using
    message = format('A value of %s is invalid: %s', table_name, constraint_name),
    schema = 'builder', table = table_name, constraint = constraint_name;
end
$$;


--
-- Name: remove_deleted(integer); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.remove_deleted(batch integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  until constant timestamp with time zone :=
    now() - (select s.value from builder.settings s where s.name = 'remove_deleted_after');
  gone uuid[];
  removed integer;
begin
  if until is null then
    return 0;
  end if;
  select coalesce(array_agg(q.id), '{}') into gone from (
    select q.id from builder.quotes q where q.deleted_at <= until order by q.deleted_at limit batch for update skip locked
  ) q;
  perform builder.remove_quotes(gone);
  delete from builder.graphics g where g.id in (
    select g.id from builder.graphics g where g.deleted_at <= until order by g.deleted_at limit batch for update skip locked
  );
  get diagnostics removed = row_count;
  return removed + cardinality(gone);
end
$$;


--
-- Name: remove_old_quotes(integer); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.remove_old_quotes(batch integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  gone constant uuid[] := array(
    select q.id from builder.settings s
      cross join lateral unnest(case s.name when 'remove_drafts_after' then array['draft'] else array['rejected', 'expired', 'cancelled'] end) kind
      cross join lateral (
        select q.id from builder.quotes q
        where q.status = kind and q.deleted_at is null and q.created_at <= now() - s.value and q.updated_at <= now() - s.value
        order by q.created_at limit batch for update skip locked
      ) q
    where s.name in ('remove_drafts_after', 'remove_closed_after')
    union all
    select q.id from builder.settings s cross join lateral (
      select q.id from builder.quotes q
      where q.deleted_at <= now() - s.value
        and case s.name when 'remove_drafts_after' then q.status = 'draft' else q.status in ('rejected', 'expired', 'cancelled') end
      order by q.deleted_at limit batch for update skip locked
    ) q
    where s.name in ('remove_drafts_after', 'remove_closed_after')
    limit batch
  );
begin
  perform builder.remove_quotes(gone);
  return cardinality(gone);
end
$$;


--
-- Name: remove_quotes(uuid[]); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.remove_quotes(ids uuid[]) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  delete from builder.deliveries d where d.quote_id = any (ids);
  delete from builder.quotes q where q.id = any (ids);
$$;


--
-- Name: renew_digests(uuid, text[]); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.renew_digests(quote uuid, before text[]) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  with now_are as (select builder.digests_of(quote) as digests)
  update builder.quote_events e set design_digest = coalesce(
    now_are.digests[array_position(before, e.design_digest)], encode(sha256(uuid_send(gen_random_uuid())), 'hex')
  )
  from now_are where e.quote_id = quote and e.design_digest is not null
$$;


--
-- Name: replace_name(jsonb, text, text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.replace_name(value jsonb, was text, becomes text) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return case jsonb_typeof(value)
    when 'string' then to_jsonb(builder.replace_name(value #>> '{}', was, becomes))
    when 'array' then coalesce((
      select jsonb_agg(builder.replace_name(one.item, was, becomes) order by one.place)
      from jsonb_array_elements(value) with ordinality one (item, place)
    ), '[]')
    when 'object' then coalesce((
      select jsonb_object_agg(case one.key when was then becomes else one.key end, builder.replace_name(one.value, was, becomes))
      from jsonb_each(value) one
    ), '{}')
    else value
  end;
end
$$;


--
-- Name: replace_name(text, text, text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.replace_name(value text, was text, becomes text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select case when normalize(value, nfc) !~* builder.name_pattern(was) then value
    else regexp_replace(regexp_replace(regexp_replace(normalize(value, nfc),
      builder.name_pattern(was), replace(becomes, '\', '\\'), 'g'),
      builder.name_pattern(upper(was)), replace(upper(becomes), '\', '\\'), 'g'),
      builder.name_pattern(was), replace(becomes, '\', '\\'), 'gi') end
$$;


--
-- Name: require_one_quote(text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.require_one_quote(act text) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if current_setting('request.rows', true) is not distinct from 'filtered' then
    raise sqlstate 'PT409' using constraint = 'rule 7, one quote',
      message = format('A request with a filter can %s only one quote, and the filter must name its id', act),
      detail = 'This filter names no single id.',
      hint = 'Write .update({ … }).eq(''id'', quote.id) for each, as an address PATCH …/quotes?id=eq.…; or send one PATCH with an '
        'array of rows that have their ids.';
  end if;
end
$$;


--
-- Name: resolve_email(builder.deliveries, text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.resolve_email(delivery builder.deliveries, staff text, OUT account_id uuid, OUT address text, OUT greeting text, OUT body text, OUT link text, OUT language text) RETURNS record
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
declare
  happened builder.quote_events;
  is_staff constant boolean := delivery.kind = 'staff_email';
  of_event builder.event_messages;
  greets builder.event_messages;
begin
  account_id := coalesce(
    (select q.account_id from builder.quotes q where q.id = delivery.quote_id),
    (select n.account_id from builder.notifications n where n.id = delivery.notification_id),
    delivery.account_id
  );
  select * into happened from builder.quote_events e where e.id = delivery.event_id;
  if is_staff then
    address := staff;
    language := 'en';
    of_event := builder.find_message(happened.event, 'staff', language);
    body := builder.fill_message(of_event.body, happened, language);
    link := builder.fill_message(of_event.link, happened, language);
  else
    select e.address, e.language into address, language from builder.email_of(account_id) e;
    address := coalesce(address, builder.contact_of(account_id, delivery.quote_id, builder.is_by_staff(happened)));
    of_event := builder.find_message(happened.event, case happened.created_as when 'customer' then 'actor' else 'account' end, language);
    select n.body, n.link into body, link from builder.notifications n where n.id = delivery.notification_id;
  end if;
  greets := builder.find_message('greeting', case when is_staff then 'staff' else 'account' end, language);
  greeting := greets.body;
  language := coalesce(of_event.language, greets.language, language, 'en');
end
$$;


--
-- Name: retry_schedule(text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.retry_schedule(kind text) RETURNS integer[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select case kind when 'webhook' then '{5,300,1800,7200,18000,36000,50400,72000,86400}'::integer[]
    else '{60,300,900,1800,3600,10800,21600,43200,86400}'::integer[] end
$$;


--
-- Name: retry_waiting_emails(); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.retry_waiting_emails() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  update builder.deliveries d set due_at = now() from (
    select w.id from builder.deliveries w
    where w.quote_id = new.id and w.webhook_id is null and w.due_at > now() and w.state = 'waiting' and (
      (w.hold_reason = 'quote deleted' and new.deleted_at is null)
      or (w.hold_reason like '%address%' and new.contact_email is distinct from old.contact_email)
    )
    limit 100 for update skip locked
  ) waiting
  where d.id = waiting.id;
  return null;
end
$$;


--
-- Name: run_once(text, text, text, json); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.run_once(key text, fingerprint text, statement text, body json) RETURNS json
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  response json := builder.claim_key(key, fingerprint);
  result record;
begin
  if response is null then
    execute statement into result using body;
    response := to_json(result);
    perform builder.save_response(key, response, array(
      select json_array_elements_text(case json_typeof(response -> 'accounts') when 'array' then response -> 'accounts' else '[]' end)::uuid
    ));
  end if;
  return response;
end
$$;


--
-- Name: save_response(text, json, uuid[]); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.save_response(given_key text, given_response json, given_accounts uuid[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  owner constant text := builder.key_owner();
  newest constant integer := 64;
  body constant text := coalesce(given_response ->> 'body', '');
  keeps_body constant boolean := octet_length(body) between 1 and 65536;
begin
  update builder.idempotency_keys k
  set response = case when keeps_body or body = '' then given_response
      else (given_response::jsonb || '{"body": null}')::json end,
    accounts = given_accounts,
    has_body = keeps_body
  where k.caller = owner and k.key = given_key;
  if keeps_body then
    update builder.idempotency_keys k
    set response = (k.response::jsonb || '{"body": null}')::json, has_body = false
    from (
      select older.key from builder.idempotency_keys older
      where older.caller = owner and older.has_body
      order by older.created_at desc
      offset newest
      limit 10
      for update skip locked
    ) older
    where k.caller = owner and k.key = older.key;
  end if;
end
$$;


--
-- Name: says_change(builder.quote_events); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.says_change(event builder.quote_events) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select event.design_digest is not null and coalesce(event.previous_status, 'draft') <> 'draft'
    and (event.event = 'quote.' || event.status and event.status <> event.previous_status or event.event = 'quote.repriced')
$$;


--
-- Name: seen_lines(integer[], bigint[]); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.seen_lines(candidates integer[], ids bigint[]) RETURNS integer[]
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
begin
  return array(
    select case when collection = 'notifications' and account_id = '00000000-0000-0000-0000-000000000000'
        and builder.caller_dismissed(key::bigint) then -candidate else candidate end
    from unnest(candidates) candidate
      -- `offset 0` makes Postgres find each line and each row by its id, and never read a whole table.
      cross join lateral (select * from builder.changes where id = ids[candidate] offset 0) changed
    where case
      when operation = 'D' then true
      when collection = 'notifications' then exists (
        select from builder.notifications r
        where r.id = changed.key::bigint and r.account_id = changed.account_id
        offset 0)
      when collection = 'quote_events' then exists (
        select from builder.quote_events r where r.id = changed.key::bigint and r.account_id = changed.account_id offset 0)
      when collection = 'quotes' then exists (
        select from builder.quotes r
        where r.id = changed.key::uuid and r.account_id = changed.account_id and r.deleted_at is null offset 0)
    end
  );
end
$$;


--
-- Name: sends_other_submission(builder.quotes, builder.quotes); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.sends_other_submission(old builder.quotes, new builder.quotes) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return builder.body_names('submitted_at') and builder.is_other_time(new.submitted_at, old.submitted_at)
    and not (old.submitted_at is null and new.submitted_at > old.updated_at);
end
$$;


--
-- Name: server_timeline(); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.server_timeline() RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return case when pg_is_in_recovery() then '0' else left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end;
exception when others then
  return '0';
end
$$;


--
-- Name: sets_price(builder.quotes, builder.quotes); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.sets_price(old builder.quotes, new builder.quotes) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return (new.status = 'quoted' and old.status is distinct from 'quoted')
    or (new.unit_price is not null and new.unit_price is distinct from old.unit_price)
    or (new.total_price is not null and new.total_price is distinct from old.total_price)
    or new.currency <> old.currency;
end
$$;


--
-- Name: settle(uuid, integer, text, text, double precision); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.settle(message uuid, claim integer, outcome text, reason text, retry_after double precision) RETURNS TABLE(state text, retry_in double precision)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
declare
  one builder.deliveries;
  next_at timestamp with time zone;
begin
  -- Before the delivery, as when a webhook is deleted.
  perform from builder.webhooks w
  where w.id = (select d.webhook_id from builder.deliveries d where d.message_id = message) for key share;
  select * into one from builder.deliveries d
  where d.message_id = message and d.claims = claim and d.state = 'sending' for update;
  if not found then
    return;
  end if;
  if one.webhook_id is null then
    perform builder.record_mail_result(one.address, outcome, reason);
  end if;
  next_at := builder.next_attempt_at(one, outcome, retry_after);
  state := case when next_at is not null then 'waiting' when outcome in ('sent', 'unanswered') then 'sent' else 'dead' end;
  retry_in := extract(epoch from next_at - now());
  update builder.deliveries d set
    state = settle.state,
    due_at = next_at,
    attempts = case when outcome = 'unavailable' then d.attempts - 1 else d.attempts end,
    attempted_at = case when outcome = 'unavailable' then null else d.attempted_at end,
    hold_reason = case when outcome = 'refused' and next_at is not null then 'refused address' end,
    unanswered = d.unanswered or outcome = 'unanswered',
    reason = left(settle.reason, 300),
    settled_at = case when next_at is null then now() end
  where d.id = one.id;
  if one.webhook_id is not null then
    perform builder.record_call_result(one.webhook_id, outcome, reason);
  end if;
  return next;
end
$$;


--
-- Name: short_value(anyelement, integer, text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.short_value(value anyelement, bytes integer, field text) RETURNS anyelement
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if octet_length(value::text) > bytes then
    raise exception using errcode = 'PG414', message = field;
  end if;
  return value;
end
$$;


--
-- Name: shorten_record(json, integer); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.shorten_record(record json, most integer) RETURNS json
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select case
    when octet_length(record::text) > most and (select sum(octet_length(value)) from json_each_text(record)) > most
    then (select json_object_agg(key, case when octet_length(value) <= 64 then value end) from json_each_text(record))
    else record
  end
$$;


--
-- Name: shown_design(builder.quotes, builder.quotes, text, boolean); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.shown_design(old builder.quotes, new builder.quotes, kind text, other_design boolean) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return case when new.status <> 'draft' and case
    when old.id is null then true
    when old.status <> 'draft' then other_design
    else kind = 'customer' or old.id::text = any (string_to_array(current_setting('builder.named_drafts', true), ','))
  end then builder.design_digest(new) end;
end
$$;


--
-- Name: silence_copy(); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.silence_copy(OUT webhooks bigint, OUT deliveries bigint) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  update builder.webhooks w set disabled_at = now(), disabled_because = 'copied database' where w.disabled_at is null;
  get diagnostics webhooks = row_count;
  update builder.deliveries d set due_at = null, state = 'skipped', reason = 'copied database', settled_at = now()
  where d.due_at is not null;
  get diagnostics deliveries = row_count;
end
$$;


--
-- Name: skip_dismissed(); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.skip_dismissed() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  perform builder.end_delivery(waiting.id, 'skipped', 'dismissed') from (
    select d.id from builder.deliveries d
    where d.notification_id = new.id and d.state = 'waiting' and d.queued_at = d.created_at for update skip locked
  ) waiting
  where builder.caller_kind() = 'customer';
  return null;
end
$$;


--
-- Name: skip_lost_numbers(); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.skip_lost_numbers() RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select setval(format('%I.%I', schemaname, sequencename)::regclass, coalesce(last_value, 0) + 1000000)
  from pg_sequences where schemaname = 'builder'
$$;


--
-- Name: skip_supplied_notification_id(); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.skip_supplied_notification_id() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  ids constant regclass := pg_get_serial_sequence('builder.notifications', 'id');
  ahead constant bigint := case when new.id > 0 then new.id - coalesce(pg_sequence_last_value(ids), 0) end;
begin
  if ahead between 1 and 1000 then
    perform nextval(ids) from generate_series(1, ahead);
  elsif ahead > 1000 and new.id < 1::bigint << 52 then
    perform pg_advisory_xact_lock('builder.notifications'::regclass::oid::bigint);
    perform setval(ids, greatest(new.id, pg_sequence_last_value(ids)));
  end if;
  return new;
end
$$;


--
-- Name: split_language(text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.split_language(language text, OUT base text, OUT regional text) RETURNS record
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
  select split_part(tag, '-', 1), split_part(tag, '-', 1) || '-' || substring(tag from '-([a-z]{2}|[0-9]{3})(?:-|$)')
  from builder.language_tag(language) tag
$_$;


--
-- Name: stamp_graphic(); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.stamp_graphic() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if tg_op = 'INSERT' then
    new.created_by := coalesce(new.created_by, builder.caller_id());
  else
    new.updated_at := greatest(clock_timestamp(), old.updated_at + interval '1 microsecond');
    if old.deleted_at is not null and new.deleted_at is not null then
      new.deleted_at := old.deleted_at;
    end if;
  end if;
  return new;
end
$$;


--
-- Name: stamp_of(timestamp with time zone, timestamp with time zone, timestamp with time zone, boolean, timestamp with time zone); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.stamp_of(stored timestamp with time zone, given timestamp with time zone, updated_at timestamp with time zone, is_made boolean, moment timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  is_later constant boolean := given is not null and coalesce(
    date_trunc('milliseconds', given) > date_trunc('milliseconds', greatest(stored, updated_at)), true
  );
begin
  return case
    when is_later and (is_made or stored is null) then least(given, greatest(moment, stored + interval '1 millisecond'))
    when is_made then greatest(moment, stored + interval '1 millisecond')
    else stored end;
end
$$;


--
-- Name: stamp_price(builder.quotes, builder.quotes, boolean, timestamp with time zone); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.stamp_price(old builder.quotes, new builder.quotes, by_customer boolean, moment timestamp with time zone) RETURNS builder.quotes
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  has_price constant boolean := new.unit_price is not null or new.total_price is not null;
  is_offer constant boolean := has_price and new.status <> 'draft';
  is_priced constant boolean := is_offer and not by_customer and builder.sets_price(old, new);
begin
  if not has_price and (old.unit_price is not null or old.total_price is not null) then
    new.quoted_at := null;
    new.quoted_by := null;
  elsif is_priced or (is_offer and (coalesce(old.status, 'draft') = 'draft' or old::builder.terms is distinct from new::builder.terms)) then
    new.quoted_at := builder.stamp_of(old.quoted_at, new.quoted_at, old.updated_at, true, moment);
  elsif is_offer or new.quoted_at is not null then
    new.quoted_at := builder.stamp_of(old.quoted_at, new.quoted_at, old.updated_at, false, moment);
  end if;
  if is_priced and (new.quoted_by is null or new.quoted_by is not distinct from old.quoted_by) then
    new.quoted_by := coalesce(builder.caller_id(), old.quoted_by);
  end if;
  return new;
end
$$;


--
-- Name: stamp_quote(builder.quotes, builder.quotes, boolean); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.stamp_quote(old builder.quotes, new builder.quotes, by_customer boolean) RETURNS builder.quotes
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  moved constant boolean := new.status <> coalesce(old.status, 'draft');
  moment constant timestamp with time zone := clock_timestamp();
begin
  if by_customer then
    new.submitted_at := old.submitted_at;
    new.approved_at := old.approved_at;
    new.created_at := coalesce(old.created_at, moment);
    new.deleted_at := case when new.deleted_at is not null then moment end;
  elsif old.deleted_at is not null and new.deleted_at is not null then
    new.deleted_at := old.deleted_at;
  end if;
  if old.id is null then
    new.created_by := coalesce(new.created_by, builder.caller_id());
    new.created_at := case when new.created_at = now() then moment else coalesce(new.created_at, moment) end;
  end if;
  new.submitted_at := case when new.status = 'draft' and moved then null else builder.stamp_of(
    old.submitted_at, new.submitted_at, old.updated_at, moved and new.status = 'submitted', moment
  ) end;
  if moved and new.status in ('approved', 'draft', 'submitted', 'quoted') and new.approved_at is not distinct from old.approved_at then
    new.approved_at := case when new.status = 'approved' then moment end;
  end if;
  new.approved_at := case when new.approved_at > moment then moment else new.approved_at end;
  new.created_at := case when new.created_at > moment then moment else new.created_at end;
  if coalesce(new.unit_price, new.total_price, old.unit_price, old.total_price) is not null or new.quoted_at is not null then
    new := builder.stamp_price(old, new, by_customer, moment);
  end if;
  if old.id is not null or by_customer or new.updated_at is null or new.updated_at = now() then
    new.updated_at := greatest(moment, old.updated_at + interval '1 microsecond');
  end if;
  new.updated_at := case when old.id is null then least(new.updated_at, moment) else new.updated_at end;
  return new;
end
$$;


--
-- Name: supersedes(text, text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.supersedes(later text, earlier text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select case
    -- What waits while a quote is deleted is sent when it is restored.
    when later in ('quote.deleted', 'quote.restored') then earlier in ('quote.deleted', 'quote.restored')
    -- These don't repeat what else is known.
    when later in ('quote.changed', 'quote.amended', 'quote.delivery_changed') then earlier = later
    -- Nor does a step of the fulfillment that the quote was ordered or corrected.
    when later in ('quote.reviewing', 'quote.preparing', 'quote.shipping', 'quote.delivered')
      then earlier not in ('quote.ordered', 'quote.amended', 'quote.delivery_changed')
    else true
  end
$$;


--
-- Name: sweep_is_late(); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.sweep_is_late() RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$ select succeeded_at < now() - interval '15 minutes' from builder.sweeps $$;


--
-- Name: time_zone_of(uuid); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.time_zone_of(account uuid) RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$ select 'UTC' $$;


--
-- Name: try_writing(); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.try_writing() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET work_mem TO '64kB'
    AS $$
begin
  update builder.sweeps s set succeeded_at = s.succeeded_at
  where s.id = (select one.id from builder.sweeps one for update skip locked);
  -- More than fits into the memory.
  perform from generate_series(1, 5000);
end
$$;


--
-- Name: undone_by(builder.quote_events); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.undone_by(happened builder.quote_events) RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select case
    when happened.created_as in ('customer', 'sweep') then null
    when happened.event = 'quote.' || happened.status and (
      happened.previous_status = 'cancelled'
      or array_position(life.moves, happened.status::text) < array_position(life.moves, happened.previous_status::text)
    ) then 'quote.' || happened.previous_status || '.undone'
    when array_position(life.steps, happened.event) < array_position(life.steps, (
      select e.event from builder.quote_events e
      where e.quote_id = happened.quote_id and e.event = any (life.steps || 'quote.ordered'::text) order by e.id desc limit 1
    )) then 'quote.fulfillment.undone'
  end
  from (values (
    '{draft,submitted,quoted,approved,ordered}'::text[], '{quote.reviewing,quote.preparing,quote.shipping,quote.delivered}'::text[]
  )) life (moves, steps)
$$;


--
-- Name: unseen(); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.unseen() RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return '[\u0001-\u0020\u007f-\u00a0\u00ad\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]';
end
$$;


--
-- Name: unsubscribe_account(uuid); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.unsubscribe_account(account uuid) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  insert into builder.unsubscribed_accounts
  select account where exists (select from builder.quotes q where q.account_id = account)
    or exists (select from builder.notifications n where n.account_id = account)
    or exists (select from builder.deliveries d where d.account_id = account and (d.webhook_id is null or d.event_id is not null))
  on conflict do nothing
$$;


--
-- Name: was_offered_in(uuid, text); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.was_offered_in(quote uuid, currency text) RETURNS boolean
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$ select exists (select from builder.quote_offers o where o.quote_id = quote and o.currency = was_offered_in.currency) $$;


--
-- Name: within_bytes(text, integer); Type: FUNCTION; Schema: builder; Owner: -
--

CREATE FUNCTION builder.within_bytes(response text, bytes integer) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if octet_length(response) > bytes then
    perform builder.refuse_response();
  end if;
  return response;
end
$$;


--
-- Name: changes_id_seq; Type: SEQUENCE; Schema: builder; Owner: -
--

ALTER TABLE builder.changes ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME builder.changes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: code; Type: TABLE; Schema: builder; Owner: -
--

CREATE TABLE builder.code (
    name text NOT NULL,
    md5 text NOT NULL
);


--
-- Name: customer_quote_numbers; Type: TABLE; Schema: builder; Owner: -
--

CREATE TABLE builder.customer_quote_numbers (
    year integer NOT NULL,
    user_id uuid NOT NULL,
    taken integer NOT NULL
);


--
-- Name: deliveries_id_seq; Type: SEQUENCE; Schema: builder; Owner: -
--

ALTER TABLE builder.deliveries ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME builder.deliveries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: delivery_pace; Type: TABLE; Schema: builder; Owner: -
--

CREATE TABLE builder.delivery_pace (
    id boolean DEFAULT true NOT NULL,
    mail_pause interval DEFAULT '00:00:00'::interval NOT NULL,
    mail_paused_until timestamp with time zone DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone NOT NULL,
    mail_failing_since timestamp with time zone,
    mail_sent_at timestamp with time zone,
    warned_at timestamp with time zone DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone NOT NULL,
    staff_address text,
    CONSTRAINT there_is_one_row CHECK (id)
);


--
-- Name: dismissals; Type: TABLE; Schema: builder; Owner: -
--

CREATE TABLE builder.dismissals (
    notification_id bigint NOT NULL,
    user_id uuid NOT NULL
);


--
-- Name: graphics; Type: TABLE; Schema: builder; Owner: -
--

CREATE TABLE builder.graphics (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    code text NOT NULL,
    category_id uuid,
    file_url text NOT NULL,
    file_format text NOT NULL,
    file_size integer,
    width integer,
    height integer,
    description text,
    tags text[],
    is_active boolean DEFAULT true NOT NULL,
    sort_order integer DEFAULT 0 NOT NULL,
    created_by uuid,
    created_at timestamp with time zone DEFAULT now(),
    updated_at timestamp with time zone DEFAULT now(),
    deleted_at timestamp with time zone,
    CONSTRAINT code_has_at_most_100_bytes CHECK ((octet_length(code) <= 100)),
    CONSTRAINT code_is_capital_letters_digits_dashes_and_underscores CHECK ((code ~ '^[A-Z0-9_-]+$'::text)),
    CONSTRAINT description_has_at_most_10000_bytes CHECK ((octet_length(description) <= 10000)),
    CONSTRAINT file_format_is_known CHECK ((file_format = ANY (ARRAY['jpg'::text, 'png'::text, 'svg'::text, 'webp'::text]))),
    CONSTRAINT file_size_is_not_negative CHECK ((file_size >= 0)),
    CONSTRAINT file_url_is_an_http_url CHECK (builder.is_url(file_url)),
    CONSTRAINT height_is_not_negative CHECK ((height >= 0)),
    CONSTRAINT name_has_at_most_500_bytes CHECK ((octet_length(name) <= 500)),
    CONSTRAINT tags_are_at_most_100_of_4000_bytes CHECK (builder.are_tags(tags)),
    CONSTRAINT width_is_not_negative CHECK ((width >= 0))
);


--
-- Name: idempotency_keys; Type: TABLE; Schema: builder; Owner: -
--

CREATE TABLE builder.idempotency_keys (
    caller text NOT NULL,
    key text NOT NULL,
    fingerprint text NOT NULL,
    response json,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    accounts uuid[],
    has_body boolean DEFAULT false NOT NULL
);


--
-- Name: imported_quote_numbers; Type: TABLE; Schema: builder; Owner: -
--

CREATE TABLE builder.imported_quote_numbers (
    quote_number text NOT NULL
);


--
-- Name: migrations; Type: TABLE; Schema: builder; Owner: -
--

CREATE TABLE builder.migrations (
    version bigint NOT NULL,
    name text,
    md5 text,
    run_at timestamp with time zone
);


--
-- Name: notifications; Type: TABLE; Schema: builder; Owner: -
--

CREATE TABLE builder.notifications (
    id bigint NOT NULL,
    account_id uuid NOT NULL,
    type builder.notification_type DEFAULT 'info'::builder.notification_type NOT NULL,
    body character varying NOT NULL,
    link character varying,
    channel builder.notification_channel DEFAULT 'in_app'::builder.notification_channel NOT NULL,
    dismissed boolean NOT NULL,
    expires_at timestamp with time zone DEFAULT (now() + '1 mon'::interval),
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT body_has_at_most_10000_bytes CHECK ((octet_length((body)::text) <= 10000)),
    CONSTRAINT email_goes_to_one_account CHECK (((channel <> 'email'::builder.notification_channel) OR (account_id <> '00000000-0000-0000-0000-000000000000'::uuid))),
    CONSTRAINT id_is_a_safe_integer CHECK (((id >= '-9007199254740991'::bigint) AND (id <= '9007199254740991'::bigint))),
    CONSTRAINT link_is_a_path_or_an_http_url CHECK (builder.is_link((link)::text))
);


--
-- Name: notifications_id_seq; Type: SEQUENCE; Schema: builder; Owner: -
--

ALTER TABLE builder.notifications ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME builder.notifications_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: notifications_of_customer; Type: VIEW; Schema: builder; Owner: -
--

CREATE VIEW builder.notifications_of_customer WITH (security_invoker='true') AS
 SELECT n.id,
    n.account_id,
    n.type,
    n.body,
    n.link,
    n.channel,
    (n.dismissed OR (d.user_id IS NOT NULL)) AS dismissed,
    n.expires_at,
    n.created_at,
    (((n.xmin)::text)::bigint + COALESCE(((d.xmin)::text)::bigint, (0)::bigint)) AS xmin
   FROM (builder.notifications n
     LEFT JOIN builder.dismissals d ON (((d.notification_id = n.id) AND (d.user_id = ( SELECT builder.caller_id() AS caller_id)) AND (n.account_id = '00000000-0000-0000-0000-000000000000'::uuid))));


--
-- Name: quote_events_id_seq; Type: SEQUENCE; Schema: builder; Owner: -
--

ALTER TABLE builder.quote_events ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME builder.quote_events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: quote_numbers; Type: TABLE; Schema: builder; Owner: -
--

CREATE TABLE builder.quote_numbers (
    year integer NOT NULL,
    last_number integer NOT NULL
);


--
-- Name: quote_offers; Type: TABLE; Schema: builder; Owner: -
--

CREATE TABLE builder.quote_offers (
    id bigint NOT NULL,
    quote_id uuid NOT NULL,
    account_id uuid NOT NULL,
    number integer NOT NULL,
    preview_front_url text,
    preview_back_url text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    created_as text NOT NULL,
    CONSTRAINT created_as_is_known CHECK ((created_as = ANY (ARRAY['customer'::text, 'staff'::text, 'service'::text, 'sweep'::text])))
)
INHERITS (builder.terms);


--
-- Name: quote_offers_id_seq; Type: SEQUENCE; Schema: builder; Owner: -
--

ALTER TABLE builder.quote_offers ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME builder.quote_offers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: quote_transitions; Type: TABLE; Schema: builder; Owner: -
--

CREATE TABLE builder.quote_transitions (
    from_status text NOT NULL,
    to_status text NOT NULL
);


--
-- Name: refused_addresses; Type: TABLE; Schema: builder; Owner: -
--

CREATE TABLE builder.refused_addresses (
    address text NOT NULL,
    refused_at timestamp with time zone DEFAULT now() NOT NULL,
    reason text
);


--
-- Name: release; Type: TABLE; Schema: builder; Owner: -
--

CREATE TABLE builder.release (
    id boolean DEFAULT true NOT NULL,
    number integer NOT NULL,
    CONSTRAINT there_is_one_row CHECK (id)
);


--
-- Name: settings; Type: TABLE; Schema: builder; Owner: -
--

CREATE TABLE builder.settings (
    name text NOT NULL,
    value interval NOT NULL,
    CONSTRAINT value_is_not_negative CHECK ((value >= '00:00:00'::interval))
);


--
-- Name: sweeps; Type: TABLE; Schema: builder; Owner: -
--

CREATE TABLE builder.sweeps (
    id boolean DEFAULT true NOT NULL,
    succeeded_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT there_is_one_row CHECK (id)
);


--
-- Name: unsubscribed_accounts; Type: TABLE; Schema: builder; Owner: -
--

CREATE TABLE builder.unsubscribed_accounts (
    account_id uuid NOT NULL,
    unsubscribed_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: webhooks; Type: TABLE; Schema: builder; Owner: -
--

CREATE TABLE builder.webhooks (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    url text NOT NULL,
    secrets text[] NOT NULL,
    events text[],
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    disabled_at timestamp with time zone,
    disabled_because text,
    failing_since timestamp with time zone,
    CONSTRAINT there_are_1_to_10_secrets CHECK (((cardinality(secrets) >= 1) AND (cardinality(secrets) <= 10))),
    CONSTRAINT url_has_at_most_2048_bytes CHECK ((octet_length(url) <= 2048))
);


--
-- Name: quotes currency; Type: DEFAULT; Schema: builder; Owner: -
--

ALTER TABLE ONLY builder.quotes ALTER COLUMN currency SET DEFAULT 'USD'::character varying;


--
-- Name: quotes rush_order; Type: DEFAULT; Schema: builder; Owner: -
--

ALTER TABLE ONLY builder.quotes ALTER COLUMN rush_order SET DEFAULT false;


--
-- Data for Name: changes; Type: TABLE DATA; Schema: builder; Owner: -
--

INSERT INTO builder.changes VALUES ('748', 1, '2026-11-28 20:59:43.059375+00', 'quotes', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000001');
INSERT INTO builder.changes VALUES ('750', 2, '2026-11-28 20:59:43.06617+00', 'quotes', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000002');
INSERT INTO builder.changes VALUES ('751', 3, '2026-11-28 20:59:43.067914+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '1');
INSERT INTO builder.changes VALUES ('751', 4, '2026-11-28 20:59:43.067914+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '1');
INSERT INTO builder.changes VALUES ('751', 5, '2026-11-28 20:59:43.067914+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000002');
INSERT INTO builder.changes VALUES ('753', 6, '2026-11-28 20:59:43.090133+00', 'quotes', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000003');
INSERT INTO builder.changes VALUES ('754', 7, '2026-11-28 20:59:43.091827+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '2');
INSERT INTO builder.changes VALUES ('754', 8, '2026-11-28 20:59:43.091827+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '2');
INSERT INTO builder.changes VALUES ('754', 9, '2026-11-28 20:59:43.091827+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000003');
INSERT INTO builder.changes VALUES ('755', 10, '2026-11-28 20:59:43.101129+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '3');
INSERT INTO builder.changes VALUES ('755', 11, '2026-11-28 20:59:43.101129+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '3');
INSERT INTO builder.changes VALUES ('755', 12, '2026-11-28 20:59:43.101129+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000003');
INSERT INTO builder.changes VALUES ('757', 13, '2026-11-28 20:59:43.117974+00', 'quotes', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000004');
INSERT INTO builder.changes VALUES ('758', 14, '2026-11-28 20:59:43.119952+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '4');
INSERT INTO builder.changes VALUES ('758', 15, '2026-11-28 20:59:43.119952+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '4');
INSERT INTO builder.changes VALUES ('758', 16, '2026-11-28 20:59:43.119952+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000004');
INSERT INTO builder.changes VALUES ('759', 17, '2026-11-28 20:59:43.128203+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '5');
INSERT INTO builder.changes VALUES ('759', 18, '2026-11-28 20:59:43.128203+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '5');
INSERT INTO builder.changes VALUES ('759', 19, '2026-11-28 20:59:43.128203+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000004');
INSERT INTO builder.changes VALUES ('760', 20, '2026-11-28 20:59:43.139649+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '6');
INSERT INTO builder.changes VALUES ('760', 21, '2026-11-28 20:59:43.139649+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '6');
INSERT INTO builder.changes VALUES ('760', 22, '2026-11-28 20:59:43.139649+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000004');
INSERT INTO builder.changes VALUES ('762', 23, '2026-11-28 20:59:43.151396+00', 'quotes', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000005');
INSERT INTO builder.changes VALUES ('763', 24, '2026-11-28 20:59:43.152985+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '7');
INSERT INTO builder.changes VALUES ('763', 25, '2026-11-28 20:59:43.152985+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '7');
INSERT INTO builder.changes VALUES ('763', 26, '2026-11-28 20:59:43.152985+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000005');
INSERT INTO builder.changes VALUES ('764', 27, '2026-11-28 20:59:43.160066+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '8');
INSERT INTO builder.changes VALUES ('764', 28, '2026-11-28 20:59:43.160066+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '8');
INSERT INTO builder.changes VALUES ('764', 29, '2026-11-28 20:59:43.160066+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000005');
INSERT INTO builder.changes VALUES ('765', 30, '2026-11-28 20:59:43.169653+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '9');
INSERT INTO builder.changes VALUES ('765', 31, '2026-11-28 20:59:43.169653+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '9');
INSERT INTO builder.changes VALUES ('765', 32, '2026-11-28 20:59:43.169653+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000005');
INSERT INTO builder.changes VALUES ('767', 33, '2026-11-28 20:59:43.178367+00', 'quotes', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000006');
INSERT INTO builder.changes VALUES ('768', 34, '2026-11-28 20:59:43.17995+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '10');
INSERT INTO builder.changes VALUES ('768', 35, '2026-11-28 20:59:43.17995+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '10');
INSERT INTO builder.changes VALUES ('768', 36, '2026-11-28 20:59:43.17995+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000006');
INSERT INTO builder.changes VALUES ('769', 37, '2026-11-28 20:59:43.186915+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '11');
INSERT INTO builder.changes VALUES ('769', 38, '2026-11-28 20:59:43.186915+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '11');
INSERT INTO builder.changes VALUES ('769', 39, '2026-11-28 20:59:43.186915+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000006');
INSERT INTO builder.changes VALUES ('770', 40, '2026-11-28 20:59:43.196256+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '12');
INSERT INTO builder.changes VALUES ('770', 41, '2026-11-28 20:59:43.196256+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '12');
INSERT INTO builder.changes VALUES ('770', 42, '2026-11-28 20:59:43.196256+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000006');
INSERT INTO builder.changes VALUES ('772', 43, '2026-11-28 20:59:43.204722+00', 'quotes', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000007');
INSERT INTO builder.changes VALUES ('773', 44, '2026-11-28 20:59:43.206295+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '13');
INSERT INTO builder.changes VALUES ('773', 45, '2026-11-28 20:59:43.206295+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '13');
INSERT INTO builder.changes VALUES ('773', 46, '2026-11-28 20:59:43.206295+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000007');
INSERT INTO builder.changes VALUES ('774', 47, '2026-11-28 20:59:43.213277+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '14');
INSERT INTO builder.changes VALUES ('774', 48, '2026-11-28 20:59:43.213277+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '14');
INSERT INTO builder.changes VALUES ('774', 49, '2026-11-28 20:59:43.213277+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000007');
INSERT INTO builder.changes VALUES ('775', 50, '2026-11-28 20:59:43.223028+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '15');
INSERT INTO builder.changes VALUES ('775', 51, '2026-11-28 20:59:43.223028+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '15');
INSERT INTO builder.changes VALUES ('775', 52, '2026-11-28 20:59:43.223028+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000007');
INSERT INTO builder.changes VALUES ('777', 53, '2026-11-28 20:59:43.232654+00', 'quotes', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000008');
INSERT INTO builder.changes VALUES ('778', 54, '2026-11-28 20:59:43.23411+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '16');
INSERT INTO builder.changes VALUES ('778', 55, '2026-11-28 20:59:43.23411+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '16');
INSERT INTO builder.changes VALUES ('778', 56, '2026-11-28 20:59:43.23411+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000008');
INSERT INTO builder.changes VALUES ('779', 57, '2026-11-28 20:59:43.241289+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '17');
INSERT INTO builder.changes VALUES ('779', 58, '2026-11-28 20:59:43.241289+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '17');
INSERT INTO builder.changes VALUES ('779', 59, '2026-11-28 20:59:43.241289+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000008');
INSERT INTO builder.changes VALUES ('780', 60, '2026-11-28 20:59:43.250773+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '18');
INSERT INTO builder.changes VALUES ('780', 61, '2026-11-28 20:59:43.250773+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '18');
INSERT INTO builder.changes VALUES ('780', 62, '2026-11-28 20:59:43.250773+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000008');
INSERT INTO builder.changes VALUES ('782', 63, '2026-11-28 20:59:43.259358+00', 'quotes', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000009');
INSERT INTO builder.changes VALUES ('783', 64, '2026-11-28 20:59:43.260681+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '19');
INSERT INTO builder.changes VALUES ('783', 65, '2026-11-28 20:59:43.260681+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '19');
INSERT INTO builder.changes VALUES ('783', 66, '2026-11-28 20:59:43.260681+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000009');
INSERT INTO builder.changes VALUES ('784', 67, '2026-11-28 20:59:43.267324+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '20');
INSERT INTO builder.changes VALUES ('784', 68, '2026-11-28 20:59:43.267324+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '20');
INSERT INTO builder.changes VALUES ('784', 69, '2026-11-28 20:59:43.267324+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000009');
INSERT INTO builder.changes VALUES ('785', 70, '2026-11-28 20:59:43.276599+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '21');
INSERT INTO builder.changes VALUES ('785', 71, '2026-11-28 20:59:43.276599+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '21');
INSERT INTO builder.changes VALUES ('785', 72, '2026-11-28 20:59:43.276599+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000009');
INSERT INTO builder.changes VALUES ('786', 73, '2026-11-28 20:59:43.286146+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '22');
INSERT INTO builder.changes VALUES ('786', 74, '2026-11-28 20:59:43.286146+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '22');
INSERT INTO builder.changes VALUES ('786', 75, '2026-11-28 20:59:43.286146+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000009');
INSERT INTO builder.changes VALUES ('788', 76, '2026-11-28 20:59:43.297507+00', 'quotes', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000010');
INSERT INTO builder.changes VALUES ('789', 77, '2026-11-28 20:59:43.299424+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '23');
INSERT INTO builder.changes VALUES ('789', 78, '2026-11-28 20:59:43.299424+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '23');
INSERT INTO builder.changes VALUES ('789', 79, '2026-11-28 20:59:43.299424+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000010');
INSERT INTO builder.changes VALUES ('790', 80, '2026-11-28 20:59:43.306198+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '24');
INSERT INTO builder.changes VALUES ('790', 81, '2026-11-28 20:59:43.306198+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '24');
INSERT INTO builder.changes VALUES ('790', 82, '2026-11-28 20:59:43.306198+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000010');
INSERT INTO builder.changes VALUES ('791', 83, '2026-11-28 20:59:43.315757+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '25');
INSERT INTO builder.changes VALUES ('791', 84, '2026-11-28 20:59:43.315757+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '25');
INSERT INTO builder.changes VALUES ('791', 85, '2026-11-28 20:59:43.315757+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000010');
INSERT INTO builder.changes VALUES ('792', 86, '2026-11-28 20:59:43.325334+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '26');
INSERT INTO builder.changes VALUES ('792', 87, '2026-11-28 20:59:43.325334+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '26');
INSERT INTO builder.changes VALUES ('792', 88, '2026-11-28 20:59:43.325334+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000010');
INSERT INTO builder.changes VALUES ('794', 89, '2026-11-28 20:59:43.335074+00', 'quotes', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000011');
INSERT INTO builder.changes VALUES ('795', 90, '2026-11-28 20:59:43.337465+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '27');
INSERT INTO builder.changes VALUES ('795', 91, '2026-11-28 20:59:43.337465+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '27');
INSERT INTO builder.changes VALUES ('795', 92, '2026-11-28 20:59:43.337465+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000011');
INSERT INTO builder.changes VALUES ('796', 93, '2026-11-28 20:59:43.344979+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '28');
INSERT INTO builder.changes VALUES ('796', 94, '2026-11-28 20:59:43.344979+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '28');
INSERT INTO builder.changes VALUES ('796', 95, '2026-11-28 20:59:43.344979+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000011');
INSERT INTO builder.changes VALUES ('797', 96, '2026-11-28 20:59:43.354163+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '29');
INSERT INTO builder.changes VALUES ('797', 97, '2026-11-28 20:59:43.354163+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '29');
INSERT INTO builder.changes VALUES ('797', 98, '2026-11-28 20:59:43.354163+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000011');
INSERT INTO builder.changes VALUES ('798', 99, '2026-11-28 20:59:43.363457+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '30');
INSERT INTO builder.changes VALUES ('798', 100, '2026-11-28 20:59:43.363457+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '30');
INSERT INTO builder.changes VALUES ('798', 101, '2026-11-28 20:59:43.363457+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000011');
INSERT INTO builder.changes VALUES ('800', 102, '2026-11-28 20:59:43.373864+00', 'quotes', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000012');
INSERT INTO builder.changes VALUES ('801', 103, '2026-11-28 20:59:43.375286+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '31');
INSERT INTO builder.changes VALUES ('801', 104, '2026-11-28 20:59:43.375286+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '31');
INSERT INTO builder.changes VALUES ('801', 105, '2026-11-28 20:59:43.375286+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000012');
INSERT INTO builder.changes VALUES ('802', 106, '2026-11-28 20:59:43.385656+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '32');
INSERT INTO builder.changes VALUES ('802', 107, '2026-11-28 20:59:43.385656+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '32');
INSERT INTO builder.changes VALUES ('802', 108, '2026-11-28 20:59:43.385656+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000012');
INSERT INTO builder.changes VALUES ('803', 109, '2026-11-28 20:59:43.394766+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '33');
INSERT INTO builder.changes VALUES ('803', 110, '2026-11-28 20:59:43.394766+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '33');
INSERT INTO builder.changes VALUES ('803', 111, '2026-11-28 20:59:43.394766+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000012');
INSERT INTO builder.changes VALUES ('804', 112, '2026-11-28 20:59:43.404289+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '34');
INSERT INTO builder.changes VALUES ('804', 113, '2026-11-28 20:59:43.404289+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '34');
INSERT INTO builder.changes VALUES ('804', 114, '2026-11-28 20:59:43.404289+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000012');
INSERT INTO builder.changes VALUES ('806', 115, '2026-11-28 20:59:43.414243+00', 'quotes', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000013');
INSERT INTO builder.changes VALUES ('807', 116, '2026-11-28 20:59:43.415653+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '35');
INSERT INTO builder.changes VALUES ('807', 117, '2026-11-28 20:59:43.415653+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '35');
INSERT INTO builder.changes VALUES ('807', 118, '2026-11-28 20:59:43.415653+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000013');
INSERT INTO builder.changes VALUES ('808', 119, '2026-11-28 20:59:43.422712+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '36');
INSERT INTO builder.changes VALUES ('808', 120, '2026-11-28 20:59:43.422712+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '36');
INSERT INTO builder.changes VALUES ('808', 121, '2026-11-28 20:59:43.422712+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000013');
INSERT INTO builder.changes VALUES ('809', 122, '2026-11-28 20:59:43.431958+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '37');
INSERT INTO builder.changes VALUES ('809', 123, '2026-11-28 20:59:43.431958+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '37');
INSERT INTO builder.changes VALUES ('809', 124, '2026-11-28 20:59:43.431958+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000013');
INSERT INTO builder.changes VALUES ('810', 125, '2026-11-28 20:59:43.439937+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '38');
INSERT INTO builder.changes VALUES ('810', 126, '2026-11-28 20:59:43.439937+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '38');
INSERT INTO builder.changes VALUES ('810', 127, '2026-11-28 20:59:43.439937+00', 'quotes', 'D', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000013');
INSERT INTO builder.changes VALUES ('812', 128, '2026-11-28 20:59:43.446844+00', 'quotes', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000014');
INSERT INTO builder.changes VALUES ('813', 129, '2026-11-28 20:59:43.448234+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '39');
INSERT INTO builder.changes VALUES ('813', 130, '2026-11-28 20:59:43.448234+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '39');
INSERT INTO builder.changes VALUES ('813', 131, '2026-11-28 20:59:43.448234+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000014');
INSERT INTO builder.changes VALUES ('814', 132, '2026-11-28 20:59:43.455019+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '40');
INSERT INTO builder.changes VALUES ('814', 133, '2026-11-28 20:59:43.455019+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '40');
INSERT INTO builder.changes VALUES ('814', 134, '2026-11-28 20:59:43.455019+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000014');
INSERT INTO builder.changes VALUES ('815', 135, '2026-11-28 20:59:43.464358+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '41');
INSERT INTO builder.changes VALUES ('815', 136, '2026-11-28 20:59:43.464358+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '41');
INSERT INTO builder.changes VALUES ('815', 137, '2026-11-28 20:59:43.464358+00', 'quotes', 'U', 'c0000000-0000-4000-8000-000000000001', NULL, 'e0000000-0000-4000-8000-000000000014');
INSERT INTO builder.changes VALUES ('816', 138, '2026-11-28 20:59:43.473772+00', 'quote_events', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '42');
INSERT INTO builder.changes VALUES ('816', 139, '2026-11-28 20:59:43.473772+00', 'quotes', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '5ea51ca7-1100-45fd-8c63-937588116917');
INSERT INTO builder.changes VALUES ('820', 140, '2026-11-28 20:59:43.481528+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '42');
INSERT INTO builder.changes VALUES ('821', 141, '2026-11-28 20:59:43.483058+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '43');
INSERT INTO builder.changes VALUES ('822', 142, '2026-11-28 20:59:43.484303+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '44');
INSERT INTO builder.changes VALUES ('823', 143, '2026-11-28 20:59:43.490194+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '45');
INSERT INTO builder.changes VALUES ('824', 144, '2026-11-28 20:59:43.491431+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '46');
INSERT INTO builder.changes VALUES ('825', 145, '2026-11-28 20:59:43.492536+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '47');
INSERT INTO builder.changes VALUES ('826', 146, '2026-11-28 20:59:43.493863+00', 'notifications', 'I', '00000000-0000-0000-0000-000000000000', NULL, '48');
INSERT INTO builder.changes VALUES ('827', 147, '2026-11-28 20:59:43.494495+00', 'notifications', 'U', '00000000-0000-0000-0000-000000000000', 'c0000000-0000-4000-8000-000000000001', '48');
INSERT INTO builder.changes VALUES ('828', 148, '2026-11-28 20:59:43.496224+00', 'notifications', 'I', 'c0000000-0000-4000-8000-000000000001', NULL, '49');


--
-- Data for Name: code; Type: TABLE DATA; Schema: builder; Owner: -
--

INSERT INTO builder.code VALUES ('callers', 'ca22e297f567ba1d791f3ca670f10805');
INSERT INTO builder.code VALUES ('access', '611da23ad1d2e6e5fc6141722ee82bb6');
INSERT INTO builder.code VALUES ('values', 'b528b0843fb3cd055cfb92271928ef90');
INSERT INTO builder.code VALUES ('quote-columns', '234b7f12f83320994c81034d13130d5c');
INSERT INTO builder.code VALUES ('graphics', '0442823d7829712a9a9be2b39f16d540');
INSERT INTO builder.code VALUES ('terms', '388a59fcce2b0aab16642049f97b04ab');
INSERT INTO builder.code VALUES ('corrections', '6a4201258e2650e3e072537c904a3127');
INSERT INTO builder.code VALUES ('quote-names', '2febab99f185ab7109e780e12c47508a');
INSERT INTO builder.code VALUES ('quote-fields', '9e3058b0e946d9ccd8e6568f7925ce74');
INSERT INTO builder.code VALUES ('quote-prices', '15dd4db1e2ae1207ae03527017fd373c');
INSERT INTO builder.code VALUES ('quote-life', 'e10a8aae77de1cf749a2e7ffe056d265');
INSERT INTO builder.code VALUES ('history', '94bda247f8386a3bc7412e5196319f8f');
INSERT INTO builder.code VALUES ('numbers', 'ff69a83efc87f3149fe906c3cf7584db');
INSERT INTO builder.code VALUES ('duplicates', 'f7ddb2e6eb9bcf4b5ac1c252d278e45b');
INSERT INTO builder.code VALUES ('idempotency', '3a0d5c8be7de14bbc9c02bdd23526f4f');
INSERT INTO builder.code VALUES ('live', 'b524486aa2d358b89eb9a61100852335');
INSERT INTO builder.code VALUES ('languages', '944887a585f91aabb2851ac3e7974ef3');
INSERT INTO builder.code VALUES ('messages', '35644675c87eb02a070326019c9cbd21');
INSERT INTO builder.code VALUES ('outbox', '2f27ade89c92484c32e3f4d780e94045');
INSERT INTO builder.code VALUES ('queue', 'e25f87eba7e4e30c4fa2949837a44c6a');
INSERT INTO builder.code VALUES ('emails', '1275b7d6a87ddb166e9a3da39c38ea88');
INSERT INTO builder.code VALUES ('webhooks', 'ded48eb2588956932b4c1a6f7a65141c');
INSERT INTO builder.code VALUES ('copies', '947c1f7ff792b47faba3d6927a26b4ce');
INSERT INTO builder.code VALUES ('sweep', '6f77b83dab662a15e8ae7b044914637b');
INSERT INTO builder.code VALUES ('accounts', 'e0a5a47ee5875ca72cbebf01eabe3643');
INSERT INTO builder.code VALUES ('responses', '9793f2b83723f5eec8a21de3c96ab43b');


--
-- Data for Name: customer_quote_numbers; Type: TABLE DATA; Schema: builder; Owner: -
--

INSERT INTO builder.customer_quote_numbers VALUES (2026, 'c0000000-0000-4000-8000-000000000001', 14);


--
-- Data for Name: deliveries; Type: TABLE DATA; Schema: builder; Owner: -
--

INSERT INTO builder.deliveries VALUES (6, '2026-11-28 20:59:43.101129+00', '2026-11-28 20:59:43.498184+00', 0, 0, 'waiting', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', 3, NULL, 3, 'ann@customer.test', NULL, 'e0000000-0000-4000-8000-000000000003', '2026-11-28 20:59:43.101129+00', 'email', NULL, 2, NULL, false, '9c1abba8-a975-46d9-9a9c-6b05209c1bb3');
INSERT INTO builder.deliveries VALUES (10, '2026-11-28 20:59:43.128203+00', '2026-11-28 20:59:43.498184+00', 1, 1, 'sending', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', 5, NULL, 5, 'ann@customer.test', '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000004', '2026-11-28 20:59:43.128203+00', 'email', NULL, 4, NULL, false, '695489da-14de-419d-bb7b-e2b763957795');
INSERT INTO builder.deliveries VALUES (13, '2026-11-28 20:59:43.139649+00', NULL, 1, 1, 'sent', NULL, '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', 6, NULL, 6, 'ann@customer.test', '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000004', '2026-11-28 20:59:43.139649+00', 'email', NULL, 5, NULL, false, '86d57a17-53bc-4258-bacc-7e4e55ec42b6');
INSERT INTO builder.deliveries VALUES (17, '2026-11-28 20:59:43.160066+00', NULL, 0, 0, 'skipped', 'superseded', '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', 8, NULL, 8, 'ann@customer.test', NULL, 'e0000000-0000-4000-8000-000000000005', '2026-11-28 20:59:43.160066+00', 'email', NULL, 7, NULL, false, 'e134865b-0253-4e69-8503-fe89e52289d9');
INSERT INTO builder.deliveries VALUES (19, '2026-11-28 20:59:43.169653+00', NULL, 1, 1, 'dead', 'superseded', '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', 9, NULL, 9, 'ann@customer.test', '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000005', '2026-11-28 20:59:43.169653+00', 'email', NULL, 8, NULL, false, '1c548af0-0a8f-4fe6-be84-688ce374de39');
INSERT INTO builder.deliveries VALUES (23, '2026-11-28 20:59:43.186915+00', '2026-11-28 20:59:43.498184+00', 0, 0, 'waiting', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', 11, NULL, 11, 'ann@customer.test', NULL, 'e0000000-0000-4000-8000-000000000006', '2026-11-28 20:59:43.186915+00', 'email', NULL, 10, NULL, false, '21ca6b9c-d027-4cf3-98d8-6614621730bd');
INSERT INTO builder.deliveries VALUES (25, '2026-11-28 20:59:43.196256+00', '2026-11-28 20:59:43.498184+00', 1, 1, 'sending', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', 12, NULL, 12, 'ann@customer.test', '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000006', '2026-11-28 20:59:43.196256+00', 'email', NULL, 11, NULL, false, 'da780ef8-5e9e-43d7-93ba-51fbd46cf990');
INSERT INTO builder.deliveries VALUES (29, '2026-11-28 20:59:43.213277+00', NULL, 1, 1, 'sent', NULL, '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', 14, NULL, 14, 'ann@customer.test', '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000007', '2026-11-28 20:59:43.213277+00', 'email', NULL, 13, NULL, false, 'ebb4ba10-4123-4837-b314-8fbb0acc374a');
INSERT INTO builder.deliveries VALUES (31, '2026-11-28 20:59:43.223028+00', NULL, 0, 0, 'skipped', 'superseded', '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', 15, NULL, 15, 'ann@customer.test', NULL, 'e0000000-0000-4000-8000-000000000007', '2026-11-28 20:59:43.223028+00', 'email', NULL, 14, NULL, false, '52e858b8-48f3-4804-94a1-40ac155a2551');
INSERT INTO builder.deliveries VALUES (35, '2026-11-28 20:59:43.241289+00', NULL, 1, 1, 'dead', 'superseded', '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', 17, NULL, 17, 'ann@customer.test', '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000008', '2026-11-28 20:59:43.241289+00', 'email', NULL, 16, NULL, false, '437bd09b-59b9-49a2-b8f4-d6a49135890d');
INSERT INTO builder.deliveries VALUES (37, '2026-11-28 20:59:43.250773+00', '2026-11-28 20:59:43.498184+00', 0, 0, 'waiting', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', 18, NULL, 18, 'ann@customer.test', NULL, 'e0000000-0000-4000-8000-000000000008', '2026-11-28 20:59:43.250773+00', 'email', NULL, 17, NULL, false, '5e141064-c77b-439e-94d5-f4efc0420029');
INSERT INTO builder.deliveries VALUES (41, '2026-11-28 20:59:43.267324+00', '2026-11-28 20:59:43.498184+00', 1, 1, 'sending', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', 20, NULL, 20, 'ann@customer.test', '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000009', '2026-11-28 20:59:43.267324+00', 'email', NULL, 19, NULL, false, '09208190-1c3c-4858-9e9a-059a923bbc8d');
INSERT INTO builder.deliveries VALUES (43, '2026-11-28 20:59:43.276599+00', NULL, 1, 1, 'sent', NULL, '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', 21, NULL, 21, 'ann@customer.test', '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000009', '2026-11-28 20:59:43.276599+00', 'email', NULL, 20, NULL, false, 'b2371ec0-2851-40dc-a211-9048e749fbd6');
INSERT INTO builder.deliveries VALUES (45, '2026-11-28 20:59:43.286146+00', NULL, 0, 0, 'skipped', 'superseded', '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', 22, NULL, 22, 'ann@customer.test', NULL, 'e0000000-0000-4000-8000-000000000009', '2026-11-28 20:59:43.286146+00', 'email', NULL, 21, NULL, false, '3e074180-b6c1-43df-8eb5-9848d7674d5c');
INSERT INTO builder.deliveries VALUES (49, '2026-11-28 20:59:43.306198+00', NULL, 1, 1, 'dead', 'superseded', '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', 24, NULL, 24, 'ann@customer.test', '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000010', '2026-11-28 20:59:43.306198+00', 'email', NULL, 23, NULL, false, 'c4f70c0b-04e7-4e74-a198-4c515619f117');
INSERT INTO builder.deliveries VALUES (51, '2026-11-28 20:59:43.315757+00', '2026-11-28 20:59:43.498184+00', 0, 0, 'waiting', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', 25, NULL, 25, 'ann@customer.test', NULL, 'e0000000-0000-4000-8000-000000000010', '2026-11-28 20:59:43.315757+00', 'email', NULL, 24, NULL, false, '84481a2d-2219-4ab5-ad45-8504b18fbe7b');
INSERT INTO builder.deliveries VALUES (53, '2026-11-28 20:59:43.325334+00', '2026-11-28 20:59:43.498184+00', 1, 1, 'sending', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', 26, NULL, 26, 'ann@customer.test', '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000010', '2026-11-28 20:59:43.325334+00', 'email', NULL, 25, NULL, false, '732739d3-dd5d-4a9a-bb50-7017be5f1693');
INSERT INTO builder.deliveries VALUES (57, '2026-11-28 20:59:43.344979+00', NULL, 1, 1, 'sent', NULL, '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', 28, NULL, 28, 'ann@customer.test', '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000011', '2026-11-28 20:59:43.344979+00', 'email', NULL, 27, NULL, false, '52d0ba43-a1d3-428a-a7fb-9546d42a19ec');
INSERT INTO builder.deliveries VALUES (59, '2026-11-28 20:59:43.354163+00', NULL, 0, 0, 'skipped', 'superseded', '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', 29, NULL, 29, 'ann@customer.test', NULL, 'e0000000-0000-4000-8000-000000000011', '2026-11-28 20:59:43.354163+00', 'email', NULL, 28, NULL, false, '7a186787-0f7d-4d00-b000-e72d71fb17a5');
INSERT INTO builder.deliveries VALUES (61, '2026-11-28 20:59:43.363457+00', NULL, 1, 1, 'dead', 'superseded', '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', 30, NULL, 30, 'ann@customer.test', '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000011', '2026-11-28 20:59:43.363457+00', 'email', NULL, 29, NULL, false, '86c966ae-1359-4804-878b-d92c9f0a76ed');
INSERT INTO builder.deliveries VALUES (65, '2026-11-28 20:59:43.385656+00', '2026-11-28 20:59:43.498184+00', 0, 0, 'waiting', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', 32, NULL, 32, 'ann@customer.test', NULL, 'e0000000-0000-4000-8000-000000000012', '2026-11-28 20:59:43.385656+00', 'email', NULL, 31, NULL, false, '2f268c5e-b56d-4134-a51e-26574a164b6f');
INSERT INTO builder.deliveries VALUES (67, '2026-11-28 20:59:43.394766+00', '2026-11-28 20:59:43.498184+00', 1, 1, 'sending', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', 33, NULL, 33, 'ann@customer.test', '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000012', '2026-11-28 20:59:43.394766+00', 'email', NULL, 32, NULL, false, 'bd33a772-2d9b-4551-a746-d84a1254a854');
INSERT INTO builder.deliveries VALUES (69, '2026-11-28 20:59:43.404289+00', NULL, 1, 1, 'sent', NULL, '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', 34, NULL, 34, 'ann@customer.test', '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000012', '2026-11-28 20:59:43.404289+00', 'email', NULL, 33, NULL, false, '78b188c6-fb14-4902-a2aa-dc37a13b589f');
INSERT INTO builder.deliveries VALUES (73, '2026-11-28 20:59:43.422712+00', NULL, 0, 0, 'skipped', 'superseded', '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', 36, NULL, 36, 'ann@customer.test', NULL, 'e0000000-0000-4000-8000-000000000013', '2026-11-28 20:59:43.422712+00', 'email', NULL, 35, NULL, false, '0efef40c-3426-423a-9e13-1da3fce013ca');
INSERT INTO builder.deliveries VALUES (75, '2026-11-28 20:59:43.431958+00', NULL, 1, 1, 'dead', 'superseded', '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', 37, NULL, 37, 'ann@customer.test', '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000013', '2026-11-28 20:59:43.431958+00', 'email', NULL, 36, NULL, false, '137094ec-9fec-4f3b-bca8-737e540629e5');
INSERT INTO builder.deliveries VALUES (77, '2026-11-28 20:59:43.439937+00', '2026-11-28 20:59:43.498184+00', 0, 0, 'waiting', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', 38, NULL, 38, 'ann@customer.test', NULL, 'e0000000-0000-4000-8000-000000000013', '2026-11-28 20:59:43.439937+00', 'email', NULL, 37, NULL, false, 'c93217e2-aba2-49c2-a9d8-5e18596b4c51');
INSERT INTO builder.deliveries VALUES (81, '2026-11-28 20:59:43.455019+00', '2026-11-28 20:59:43.498184+00', 1, 1, 'sending', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', 40, NULL, 40, 'ann@customer.test', '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000014', '2026-11-28 20:59:43.455019+00', 'email', NULL, 39, NULL, false, '370fcaa8-a6de-44be-8dcb-65e6a6fa842f');
INSERT INTO builder.deliveries VALUES (83, '2026-11-28 20:59:43.464358+00', NULL, 1, 1, 'sent', NULL, '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', 41, NULL, 41, 'ann@customer.test', '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000014', '2026-11-28 20:59:43.464358+00', 'email', NULL, 40, NULL, false, '7aaf5e07-7d32-48ba-909a-f53510376d23');
INSERT INTO builder.deliveries VALUES (84, '2026-11-28 20:59:43.483058+00', NULL, 0, 0, 'skipped', 'superseded', '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', 43, NULL, NULL, 'ann@customer.test', NULL, NULL, '2026-11-28 20:59:43.483058+00', 'email', NULL, 41, NULL, false, 'b30aec75-36f5-460d-9796-0b95e0fdc7f9');
INSERT INTO builder.deliveries VALUES (85, '2026-11-28 20:59:43.490194+00', NULL, 1, 1, 'dead', 'superseded', '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', 45, NULL, NULL, 'ann@customer.test', '2026-11-28 20:59:43.498184+00', NULL, '2026-11-28 20:59:43.490194+00', 'email', NULL, 42, NULL, false, '94ba391f-0ed1-4bb0-8f13-8d2cd87db1b4');
INSERT INTO builder.deliveries VALUES (86, '2026-11-28 20:59:43.492536+00', '2026-11-28 20:59:43.498184+00', 0, 0, 'waiting', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', 47, NULL, NULL, 'ann@customer.test', NULL, NULL, '2026-11-28 20:59:43.492536+00', 'email', NULL, 43, NULL, false, 'eeb17f84-2b75-46d1-97b2-dad7e7865b3c');
INSERT INTO builder.deliveries VALUES (2, '2026-11-28 20:59:43.067914+00', '2026-11-28 20:59:43.498184+00', 0, 0, 'waiting', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', NULL, NULL, 1, 'ann@customer.test', NULL, 'e0000000-0000-4000-8000-000000000002', '2026-11-28 20:59:43.067914+00', 'staff_email', NULL, 0, NULL, false, '0831fe7d-05dd-41b8-9a08-8d151c244dcd');
INSERT INTO builder.deliveries VALUES (4, '2026-11-28 20:59:43.091827+00', '2026-11-28 20:59:43.498184+00', 1, 1, 'sending', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', NULL, NULL, 2, 'ann@customer.test', '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000003', '2026-11-28 20:59:43.091827+00', 'staff_email', NULL, 1, NULL, false, '62af31a0-104f-41de-a274-8b129e95d783');
INSERT INTO builder.deliveries VALUES (8, '2026-11-28 20:59:43.119952+00', NULL, 1, 1, 'sent', NULL, '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', NULL, NULL, 4, 'ann@customer.test', '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000004', '2026-11-28 20:59:43.119952+00', 'staff_email', NULL, 3, NULL, false, '044212fb-90d1-431b-bf95-f1827f7dde66');
INSERT INTO builder.deliveries VALUES (15, '2026-11-28 20:59:43.152985+00', NULL, 0, 0, 'skipped', 'superseded', '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', NULL, NULL, 7, 'ann@customer.test', NULL, 'e0000000-0000-4000-8000-000000000005', '2026-11-28 20:59:43.152985+00', 'staff_email', NULL, 6, NULL, false, 'afcb3fc5-7f1d-48c9-9d88-fe07c9a54fb0');
INSERT INTO builder.deliveries VALUES (21, '2026-11-28 20:59:43.17995+00', NULL, 1, 1, 'dead', 'superseded', '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', NULL, NULL, 10, 'ann@customer.test', '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000006', '2026-11-28 20:59:43.17995+00', 'staff_email', NULL, 9, NULL, false, '37cbd1fd-c485-44bb-ad1e-57f6b319ea5b');
INSERT INTO builder.deliveries VALUES (27, '2026-11-28 20:59:43.206295+00', '2026-11-28 20:59:43.498184+00', 0, 0, 'waiting', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', NULL, NULL, 13, 'ann@customer.test', NULL, 'e0000000-0000-4000-8000-000000000007', '2026-11-28 20:59:43.206295+00', 'staff_email', NULL, 12, NULL, false, '5690aea5-b6ad-4c18-b3b3-7bdf3ea67068');
INSERT INTO builder.deliveries VALUES (33, '2026-11-28 20:59:43.23411+00', '2026-11-28 20:59:43.498184+00', 1, 1, 'sending', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', NULL, NULL, 16, 'ann@customer.test', '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000008', '2026-11-28 20:59:43.23411+00', 'staff_email', NULL, 15, NULL, false, 'f3ddc96f-7a9d-403c-9141-83fd74e9292f');
INSERT INTO builder.deliveries VALUES (39, '2026-11-28 20:59:43.260681+00', NULL, 1, 1, 'sent', NULL, '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', NULL, NULL, 19, 'ann@customer.test', '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000009', '2026-11-28 20:59:43.260681+00', 'staff_email', NULL, 18, NULL, false, '3446b545-2a24-4a0d-83d1-0c057e698815');
INSERT INTO builder.deliveries VALUES (47, '2026-11-28 20:59:43.299424+00', NULL, 0, 0, 'skipped', 'superseded', '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', NULL, NULL, 23, 'ann@customer.test', NULL, 'e0000000-0000-4000-8000-000000000010', '2026-11-28 20:59:43.299424+00', 'staff_email', NULL, 22, NULL, false, '76964201-e3df-49ff-a98e-6f5091ca5c56');
INSERT INTO builder.deliveries VALUES (55, '2026-11-28 20:59:43.337465+00', NULL, 1, 1, 'dead', 'superseded', '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', NULL, NULL, 27, 'ann@customer.test', '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000011', '2026-11-28 20:59:43.337465+00', 'staff_email', NULL, 26, NULL, false, 'd3bec3fe-d326-4929-be95-c8152575e8b2');
INSERT INTO builder.deliveries VALUES (63, '2026-11-28 20:59:43.375286+00', '2026-11-28 20:59:43.498184+00', 0, 0, 'waiting', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', NULL, NULL, 31, 'ann@customer.test', NULL, 'e0000000-0000-4000-8000-000000000012', '2026-11-28 20:59:43.375286+00', 'staff_email', NULL, 30, NULL, false, 'ba61cf6c-d52a-4293-8a28-f2c11e42d1d5');
INSERT INTO builder.deliveries VALUES (71, '2026-11-28 20:59:43.415653+00', '2026-11-28 20:59:43.498184+00', 1, 1, 'sending', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', NULL, NULL, 35, 'ann@customer.test', '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000013', '2026-11-28 20:59:43.415653+00', 'staff_email', NULL, 34, NULL, false, '8081cc9a-df69-483d-b46e-22c2e1950774');
INSERT INTO builder.deliveries VALUES (79, '2026-11-28 20:59:43.448234+00', NULL, 1, 1, 'sent', NULL, '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', NULL, NULL, 39, 'ann@customer.test', '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000014', '2026-11-28 20:59:43.448234+00', 'staff_email', NULL, 38, NULL, false, '289a83bc-6b63-4e38-b81d-a6f36a1b7f5d');
INSERT INTO builder.deliveries VALUES (1, '2026-11-28 20:59:43.067914+00', '2026-11-28 20:59:43.498184+00', 0, 0, 'waiting', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 1, NULL, NULL, 'e0000000-0000-4000-8000-000000000002', '2026-11-28 20:59:43.067914+00', 'webhook', NULL, 0, NULL, false, '7ac9201e-5ed7-4212-a003-6c628aa6a341');
INSERT INTO builder.deliveries VALUES (3, '2026-11-28 20:59:43.091827+00', '2026-11-28 20:59:43.498184+00', 1, 1, 'sending', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 2, NULL, '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000003', '2026-11-28 20:59:43.091827+00', 'webhook', NULL, 2, NULL, false, '4284195c-6a78-4d1c-a31b-00652faf8db8');
INSERT INTO builder.deliveries VALUES (5, '2026-11-28 20:59:43.101129+00', NULL, 1, 1, 'sent', NULL, '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 3, NULL, '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000003', '2026-11-28 20:59:43.101129+00', 'webhook', NULL, 1, NULL, false, '89e7cef9-7655-4d92-ab61-e3e049451af2');
INSERT INTO builder.deliveries VALUES (7, '2026-11-28 20:59:43.119952+00', NULL, 0, 0, 'skipped', 'superseded', '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 4, NULL, NULL, 'e0000000-0000-4000-8000-000000000004', '2026-11-28 20:59:43.119952+00', 'webhook', NULL, 4, NULL, false, '003c2be4-1f60-4df2-bcc3-124e55928300');
INSERT INTO builder.deliveries VALUES (9, '2026-11-28 20:59:43.128203+00', NULL, 1, 1, 'dead', 'superseded', '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 5, NULL, '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000004', '2026-11-28 20:59:43.128203+00', 'webhook', NULL, 5, NULL, false, 'bab019e9-a33f-445b-abac-b3f74ea48ae3');
INSERT INTO builder.deliveries VALUES (11, '2026-11-28 20:59:43.139649+00', '2026-11-28 20:59:43.498184+00', 0, 0, 'waiting', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 6, NULL, NULL, 'e0000000-0000-4000-8000-000000000004', '2026-11-28 20:59:43.139649+00', 'webhook', NULL, 3, NULL, false, '2a6c608c-a634-430a-9baa-bb0373161dc2');
INSERT INTO builder.deliveries VALUES (12, '2026-11-28 20:59:43.139649+00', '2026-11-28 20:59:43.498184+00', 1, 1, 'sending', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', NULL, '8c5977ee-72c5-4530-acc1-5486e530aed8', 6, NULL, '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000004', '2026-11-28 20:59:43.139649+00', 'webhook', NULL, 0, NULL, false, '96ccb840-5b8a-4b6a-9ef0-0ca262516b87');
INSERT INTO builder.deliveries VALUES (14, '2026-11-28 20:59:43.152985+00', NULL, 1, 1, 'sent', NULL, '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 7, NULL, '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000005', '2026-11-28 20:59:43.152985+00', 'webhook', NULL, 7, NULL, false, '32145631-6a2b-4762-bbd3-3d3f689fc4c7');
INSERT INTO builder.deliveries VALUES (16, '2026-11-28 20:59:43.160066+00', NULL, 0, 0, 'skipped', 'superseded', '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 8, NULL, NULL, 'e0000000-0000-4000-8000-000000000005', '2026-11-28 20:59:43.160066+00', 'webhook', NULL, 8, NULL, false, 'a5df27c3-d1f5-406d-b7d7-a3eb2291dead');
INSERT INTO builder.deliveries VALUES (18, '2026-11-28 20:59:43.169653+00', NULL, 1, 1, 'dead', 'superseded', '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 9, NULL, '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000005', '2026-11-28 20:59:43.169653+00', 'webhook', NULL, 6, NULL, false, '4f79f93f-c80e-4326-b9c8-1ba0309e71b6');
INSERT INTO builder.deliveries VALUES (20, '2026-11-28 20:59:43.17995+00', '2026-11-28 20:59:43.498184+00', 0, 0, 'waiting', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 10, NULL, NULL, 'e0000000-0000-4000-8000-000000000006', '2026-11-28 20:59:43.17995+00', 'webhook', NULL, 10, NULL, false, '856bbb3f-3005-4e4e-9e12-0871550e8305');
INSERT INTO builder.deliveries VALUES (22, '2026-11-28 20:59:43.186915+00', '2026-11-28 20:59:43.498184+00', 1, 1, 'sending', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 11, NULL, '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000006', '2026-11-28 20:59:43.186915+00', 'webhook', NULL, 11, NULL, false, '43ac831e-760a-49de-9b8b-c52a308fff85');
INSERT INTO builder.deliveries VALUES (24, '2026-11-28 20:59:43.196256+00', NULL, 1, 1, 'sent', NULL, '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 12, NULL, '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000006', '2026-11-28 20:59:43.196256+00', 'webhook', NULL, 9, NULL, false, '490dbf3d-26b9-4654-935b-61cdd5467bfc');
INSERT INTO builder.deliveries VALUES (26, '2026-11-28 20:59:43.206295+00', NULL, 0, 0, 'skipped', 'superseded', '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 13, NULL, NULL, 'e0000000-0000-4000-8000-000000000007', '2026-11-28 20:59:43.206295+00', 'webhook', NULL, 13, NULL, false, '1c22dc8c-4420-4fd4-9780-823b62b2d21a');
INSERT INTO builder.deliveries VALUES (28, '2026-11-28 20:59:43.213277+00', NULL, 1, 1, 'dead', 'superseded', '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 14, NULL, '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000007', '2026-11-28 20:59:43.213277+00', 'webhook', NULL, 14, NULL, false, '15b39e12-ab39-49fd-9f87-88da13396b1f');
INSERT INTO builder.deliveries VALUES (30, '2026-11-28 20:59:43.223028+00', '2026-11-28 20:59:43.498184+00', 0, 0, 'waiting', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 15, NULL, NULL, 'e0000000-0000-4000-8000-000000000007', '2026-11-28 20:59:43.223028+00', 'webhook', NULL, 12, NULL, false, 'cdd5b03a-c4b5-424b-b234-bd1c5eba7d3b');
INSERT INTO builder.deliveries VALUES (32, '2026-11-28 20:59:43.23411+00', '2026-11-28 20:59:43.498184+00', 1, 1, 'sending', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 16, NULL, '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000008', '2026-11-28 20:59:43.23411+00', 'webhook', NULL, 16, NULL, false, 'e7fc3b43-35b7-4e76-824d-3d64781c8515');
INSERT INTO builder.deliveries VALUES (34, '2026-11-28 20:59:43.241289+00', NULL, 1, 1, 'sent', NULL, '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 17, NULL, '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000008', '2026-11-28 20:59:43.241289+00', 'webhook', NULL, 17, NULL, false, '6c3216c1-0f07-4407-8bc1-d6a2dfc9cdf5');
INSERT INTO builder.deliveries VALUES (36, '2026-11-28 20:59:43.250773+00', NULL, 0, 0, 'skipped', 'superseded', '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 18, NULL, NULL, 'e0000000-0000-4000-8000-000000000008', '2026-11-28 20:59:43.250773+00', 'webhook', NULL, 15, NULL, false, '21a4c34d-8e72-4d67-b9ba-2a9b954fc3c5');
INSERT INTO builder.deliveries VALUES (38, '2026-11-28 20:59:43.260681+00', NULL, 1, 1, 'dead', 'superseded', '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 19, NULL, '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000009', '2026-11-28 20:59:43.260681+00', 'webhook', NULL, 19, NULL, false, '9ef07a10-0a80-4bbe-a263-7e8db6d2cb98');
INSERT INTO builder.deliveries VALUES (40, '2026-11-28 20:59:43.267324+00', '2026-11-28 20:59:43.498184+00', 0, 0, 'waiting', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 20, NULL, NULL, 'e0000000-0000-4000-8000-000000000009', '2026-11-28 20:59:43.267324+00', 'webhook', NULL, 20, NULL, false, '93e3c09f-525b-4a9f-b6e7-d144fe57a13b');
INSERT INTO builder.deliveries VALUES (42, '2026-11-28 20:59:43.276599+00', '2026-11-28 20:59:43.498184+00', 1, 1, 'sending', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 21, NULL, '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000009', '2026-11-28 20:59:43.276599+00', 'webhook', NULL, 21, NULL, false, 'cd41b8b1-b95a-4e33-89de-0bbc6d942122');
INSERT INTO builder.deliveries VALUES (44, '2026-11-28 20:59:43.286146+00', NULL, 1, 1, 'sent', NULL, '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 22, NULL, '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000009', '2026-11-28 20:59:43.286146+00', 'webhook', NULL, 18, NULL, false, 'ba49eb1d-7c7b-4c4d-a28a-932fec2a5a0f');
INSERT INTO builder.deliveries VALUES (46, '2026-11-28 20:59:43.299424+00', NULL, 0, 0, 'skipped', 'superseded', '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 23, NULL, NULL, 'e0000000-0000-4000-8000-000000000010', '2026-11-28 20:59:43.299424+00', 'webhook', NULL, 23, NULL, false, '3bfeef71-5f19-4c5d-a6ce-b883390b932f');
INSERT INTO builder.deliveries VALUES (48, '2026-11-28 20:59:43.306198+00', NULL, 1, 1, 'dead', 'superseded', '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 24, NULL, '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000010', '2026-11-28 20:59:43.306198+00', 'webhook', NULL, 24, NULL, false, 'c633f3f7-82c9-4c1b-8679-d3fa59ff0b98');
INSERT INTO builder.deliveries VALUES (50, '2026-11-28 20:59:43.315757+00', '2026-11-28 20:59:43.498184+00', 0, 0, 'waiting', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 25, NULL, NULL, 'e0000000-0000-4000-8000-000000000010', '2026-11-28 20:59:43.315757+00', 'webhook', NULL, 25, NULL, false, '9fcbf335-ef53-4044-8010-2f1c1d07543c');
INSERT INTO builder.deliveries VALUES (52, '2026-11-28 20:59:43.325334+00', '2026-11-28 20:59:43.498184+00', 1, 1, 'sending', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 26, NULL, '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000010', '2026-11-28 20:59:43.325334+00', 'webhook', NULL, 22, NULL, false, '28f66967-4f9d-4db9-984e-d253e1d2ce14');
INSERT INTO builder.deliveries VALUES (54, '2026-11-28 20:59:43.337465+00', NULL, 1, 1, 'sent', NULL, '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 27, NULL, '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000011', '2026-11-28 20:59:43.337465+00', 'webhook', NULL, 27, NULL, false, '8c08d927-a914-4ed0-b168-a9a5e38a3609');
INSERT INTO builder.deliveries VALUES (56, '2026-11-28 20:59:43.344979+00', NULL, 0, 0, 'skipped', 'superseded', '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 28, NULL, NULL, 'e0000000-0000-4000-8000-000000000011', '2026-11-28 20:59:43.344979+00', 'webhook', NULL, 28, NULL, false, 'c3fc21ae-1e81-46e2-b44f-47a6d89691c8');
INSERT INTO builder.deliveries VALUES (58, '2026-11-28 20:59:43.354163+00', NULL, 1, 1, 'dead', 'superseded', '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 29, NULL, '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000011', '2026-11-28 20:59:43.354163+00', 'webhook', NULL, 29, NULL, false, '25cb75da-be39-444b-ae7e-ffe82bbacca9');
INSERT INTO builder.deliveries VALUES (60, '2026-11-28 20:59:43.363457+00', '2026-11-28 20:59:43.498184+00', 0, 0, 'waiting', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 30, NULL, NULL, 'e0000000-0000-4000-8000-000000000011', '2026-11-28 20:59:43.363457+00', 'webhook', NULL, 26, NULL, false, '7ac58094-62b8-4047-a92c-ba3098f11bc3');
INSERT INTO builder.deliveries VALUES (62, '2026-11-28 20:59:43.375286+00', '2026-11-28 20:59:43.498184+00', 1, 1, 'sending', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 31, NULL, '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000012', '2026-11-28 20:59:43.375286+00', 'webhook', NULL, 31, NULL, false, 'aa3bb44a-bbb6-4e9f-9a1d-1e6496754f30');
INSERT INTO builder.deliveries VALUES (64, '2026-11-28 20:59:43.385656+00', NULL, 1, 1, 'sent', NULL, '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 32, NULL, '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000012', '2026-11-28 20:59:43.385656+00', 'webhook', NULL, 32, NULL, false, 'ea05d4f3-57a1-4267-96d8-60107f52039a');
INSERT INTO builder.deliveries VALUES (66, '2026-11-28 20:59:43.394766+00', NULL, 0, 0, 'skipped', 'superseded', '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 33, NULL, NULL, 'e0000000-0000-4000-8000-000000000012', '2026-11-28 20:59:43.394766+00', 'webhook', NULL, 33, NULL, false, '9d7ca14b-2ca6-472a-b8b3-83a9477d049f');
INSERT INTO builder.deliveries VALUES (68, '2026-11-28 20:59:43.404289+00', NULL, 1, 1, 'dead', 'superseded', '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 34, NULL, '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000012', '2026-11-28 20:59:43.404289+00', 'webhook', NULL, 30, NULL, false, '20b35bab-d4a4-42d0-8614-f26cfcccf08a');
INSERT INTO builder.deliveries VALUES (70, '2026-11-28 20:59:43.415653+00', '2026-11-28 20:59:43.498184+00', 0, 0, 'waiting', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 35, NULL, NULL, 'e0000000-0000-4000-8000-000000000013', '2026-11-28 20:59:43.415653+00', 'webhook', NULL, 35, NULL, false, 'd14a4460-a75a-40a3-90f9-50c2ce2c1659');
INSERT INTO builder.deliveries VALUES (72, '2026-11-28 20:59:43.422712+00', '2026-11-28 20:59:43.498184+00', 1, 1, 'sending', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 36, NULL, '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000013', '2026-11-28 20:59:43.422712+00', 'webhook', NULL, 36, NULL, false, '95709e3f-abec-489f-a311-b88ba3896d04');
INSERT INTO builder.deliveries VALUES (74, '2026-11-28 20:59:43.431958+00', NULL, 1, 1, 'sent', NULL, '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 37, NULL, '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000013', '2026-11-28 20:59:43.431958+00', 'webhook', NULL, 37, NULL, false, '28a56a72-7202-4fec-b747-5666ccce156f');
INSERT INTO builder.deliveries VALUES (76, '2026-11-28 20:59:43.439937+00', NULL, 0, 0, 'skipped', 'superseded', '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 38, NULL, NULL, 'e0000000-0000-4000-8000-000000000013', '2026-11-28 20:59:43.439937+00', 'webhook', NULL, 34, NULL, false, '81b054bb-5898-46a3-845f-26572db47502');
INSERT INTO builder.deliveries VALUES (78, '2026-11-28 20:59:43.448234+00', NULL, 1, 1, 'dead', 'superseded', '2026-11-28 20:59:43.498184+00', 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 39, NULL, '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000014', '2026-11-28 20:59:43.448234+00', 'webhook', NULL, 39, NULL, false, '8529d448-beb7-4196-b890-f9cd7d1a9526');
INSERT INTO builder.deliveries VALUES (80, '2026-11-28 20:59:43.455019+00', '2026-11-28 20:59:43.498184+00', 0, 0, 'waiting', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 40, NULL, NULL, 'e0000000-0000-4000-8000-000000000014', '2026-11-28 20:59:43.455019+00', 'webhook', NULL, 40, NULL, false, '803125f7-e2eb-4dea-946f-25a103a18ce5');
INSERT INTO builder.deliveries VALUES (82, '2026-11-28 20:59:43.464358+00', '2026-11-28 20:59:43.498184+00', 1, 1, 'sending', NULL, NULL, 'c0000000-0000-4000-8000-000000000001', NULL, 'e1c6ff71-de0c-45f4-abb8-98d58506d72c', 41, NULL, '2026-11-28 20:59:43.498184+00', 'e0000000-0000-4000-8000-000000000014', '2026-11-28 20:59:43.464358+00', 'webhook', NULL, 38, NULL, false, '51874dc4-cff9-4a8c-8ba3-a00cbe052cdb');


--
-- Data for Name: delivery_pace; Type: TABLE DATA; Schema: builder; Owner: -
--

INSERT INTO builder.delivery_pace VALUES (true, '00:00:00', '1970-01-01 00:00:00+00', NULL, '2026-11-28 20:59:43.048983+00', '1970-01-01 00:00:00+00', 'desk@builder.test');


--
-- Data for Name: design; Type: TABLE DATA; Schema: builder; Owner: -
--



--
-- Data for Name: dismissals; Type: TABLE DATA; Schema: builder; Owner: -
--

INSERT INTO builder.dismissals VALUES (48, 'c0000000-0000-4000-8000-000000000001');


--
-- Data for Name: event_messages; Type: TABLE DATA; Schema: builder; Owner: -
--

INSERT INTO builder.event_messages VALUES ('quote.draft', 'en', true, 'email', 'info', 'Your quote {quote_number} was made a draft again by us.
You can change it and submit it.', '/quotes/{quote_id}', 'account');
INSERT INTO builder.event_messages VALUES ('quote.submitted', 'en', true, 'email', 'info', 'Your quote {quote_number} is with us for a price.
It can be approved once you have our offer.', '/quotes/{quote_id}', 'account');
INSERT INTO builder.event_messages VALUES ('quote.quoted', 'en', true, 'email', 'info', 'Your quote {quote_number} has its price: {total_price}.
It can be approved until {expires_at}.', '/quotes/{quote_id}', 'account');
INSERT INTO builder.event_messages VALUES ('quote.repriced', 'en', true, 'email', 'info', 'The price of your quote {quote_number} has changed: {total_price}.
It can be approved until {expires_at}.', '/quotes/{quote_id}', 'account');
INSERT INTO builder.event_messages VALUES ('quote.end_changed', 'en', true, 'email', 'info', 'The end of your offer {quote_number} has changed.
It can be approved until {expires_at}.
Its price is {total_price}.', '/quotes/{quote_id}', 'account');
INSERT INTO builder.event_messages VALUES ('quote.expiring', 'en', true, 'email', 'info', 'Your quote {quote_number} expires soon: {total_price}.
It can be approved until {expires_at}.', '/quotes/{quote_id}', 'account');
INSERT INTO builder.event_messages VALUES ('quote.approved', 'en', true, 'email', 'info', 'Your quote {quote_number} was approved by us for you.
Its price is {total_price}.', '/quotes/{quote_id}', 'account');
INSERT INTO builder.event_messages VALUES ('quote.rejected', 'en', true, 'email', 'info', 'Your quote {quote_number} was rejected by us.', '/quotes/{quote_id}', 'account');
INSERT INTO builder.event_messages VALUES ('quote.expired', 'en', true, 'email', 'info', 'Your quote {quote_number} has expired.', '/quotes/{quote_id}', 'account');
INSERT INTO builder.event_messages VALUES ('quote.cancelled', 'en', true, 'email', 'info', 'Your quote {quote_number} was cancelled by us.', '/quotes/{quote_id}', 'account');
INSERT INTO builder.event_messages VALUES ('quote.changed', 'en', true, 'email', 'info', 'The design of your quote {quote_number} was changed by us.', '/quotes/{quote_id}', 'account');
INSERT INTO builder.event_messages VALUES ('quote.restored', 'en', true, 'email', 'info', 'Your quote {quote_number} was restored by us.', '/quotes/{quote_id}', 'account');
INSERT INTO builder.event_messages VALUES ('quote.ordered', 'en', true, 'email', 'info', 'Your order {quote_number} is placed.
It is expected on {estimated_delivery_at}.', '/quotes/{quote_id}', 'account');
INSERT INTO builder.event_messages VALUES ('quote.amended', 'en', true, 'email', 'info', 'Your order {quote_number} was corrected by us.
Its price is {total_price}.', '/quotes/{quote_id}', 'account');
INSERT INTO builder.event_messages VALUES ('quote.delivery_changed', 'en', true, 'email', 'info', 'The delivery date of your order {quote_number} has changed.
It is expected on {estimated_delivery_at}.', '/quotes/{quote_id}', 'account');
INSERT INTO builder.event_messages VALUES ('quote.reviewing', 'en', true, 'email', 'info', 'Your order {quote_number} is being reviewed.', '/quotes/{quote_id}', 'account');
INSERT INTO builder.event_messages VALUES ('quote.preparing', 'en', true, 'email', 'info', 'Your order {quote_number} is being prepared.', '/quotes/{quote_id}', 'account');
INSERT INTO builder.event_messages VALUES ('quote.shipping', 'en', true, 'email', 'info', 'Your order {quote_number} is on its way.
It is expected on {estimated_delivery_at}.', '/quotes/{quote_id}', 'account');
INSERT INTO builder.event_messages VALUES ('quote.delivered', 'en', true, 'email', 'info', 'Your order {quote_number} has been delivered.', '/quotes/{quote_id}', 'account');
INSERT INTO builder.event_messages VALUES ('quote.draft', 'en', true, 'in_app', 'info', 'You made your quote {quote_number} a draft again.', '/quotes/{quote_id}', 'actor');
INSERT INTO builder.event_messages VALUES ('quote.submitted', 'en', true, 'in_app', 'info', 'We have received your quote request {quote_number}.', '/quotes/{quote_id}', 'actor');
INSERT INTO builder.event_messages VALUES ('quote.approved', 'en', true, 'in_app', 'info', 'You approved your quote {quote_number}.
Its price is {total_price}.', '/quotes/{quote_id}', 'actor');
INSERT INTO builder.event_messages VALUES ('quote.rejected', 'en', true, 'in_app', 'info', 'You rejected our price for your quote {quote_number}.', '/quotes/{quote_id}', 'actor');
INSERT INTO builder.event_messages VALUES ('quote.cancelled', 'en', true, 'in_app', 'info', 'You cancelled your quote {quote_number}.', '/quotes/{quote_id}', 'actor');
INSERT INTO builder.event_messages VALUES ('quote.submitted', 'en', true, 'email', 'info', 'Quote {quote_number} has been submitted.', '/quotes/{quote_id}', 'staff');
INSERT INTO builder.event_messages VALUES ('quote.approved', 'en', true, 'email', 'info', 'Quote {quote_number} has been approved: {total_price}.', '/quotes/{quote_id}', 'staff');
INSERT INTO builder.event_messages VALUES ('quote.rejected', 'en', true, 'email', 'info', 'Quote {quote_number} has been rejected: {total_price}.', '/quotes/{quote_id}', 'staff');
INSERT INTO builder.event_messages VALUES ('quote.cancelled', 'en', true, 'email', 'info', 'Quote {quote_number} has been cancelled by its customer.', '/quotes/{quote_id}', 'staff');
INSERT INTO builder.event_messages VALUES ('quote.draft', 'en', false, 'email', 'info', 'Quote {quote_number} was made a draft again by its customer.', '/quotes/{quote_id}', 'staff');
INSERT INTO builder.event_messages VALUES ('quote.changed', 'en', false, 'email', 'info', 'Quote {quote_number} has been changed by its customer.', '/quotes/{quote_id}', 'staff');
INSERT INTO builder.event_messages VALUES ('quote.deleted', 'en', true, 'email', 'info', 'Your quote {quote_number} was deleted by us.', NULL, 'account');
INSERT INTO builder.event_messages VALUES ('greeting', 'en', true, 'email', 'info', 'Hello,', NULL, 'account');
INSERT INTO builder.event_messages VALUES ('greeting', 'en', true, 'email', 'info', 'Hello,', NULL, 'staff');
INSERT INTO builder.event_messages VALUES ('quote.quoted.undone', 'en', true, 'email', 'info', 'Our offer for your quote {quote_number} was undone by us.', '/quotes/{quote_id}', 'account');
INSERT INTO builder.event_messages VALUES ('quote.approved.undone', 'en', true, 'email', 'info', 'The approval of your quote {quote_number} was undone by us.', '/quotes/{quote_id}', 'account');
INSERT INTO builder.event_messages VALUES ('quote.ordered.undone', 'en', true, 'email', 'info', 'The order of your quote {quote_number} was undone by us.', '/quotes/{quote_id}', 'account');
INSERT INTO builder.event_messages VALUES ('quote.cancelled.undone', 'en', true, 'email', 'info', 'The cancellation of your quote {quote_number} was undone by us.', '/quotes/{quote_id}', 'account');
INSERT INTO builder.event_messages VALUES ('quote.fulfillment.undone', 'en', true, 'email', 'info', 'The last step of your order {quote_number} was undone by us.', '/quotes/{quote_id}', 'account');
INSERT INTO builder.event_messages VALUES ('quote.quoted', 'de', true, 'email', 'info', 'Ihr Preis: {total_price}', '/quotes/{quote_id}', 'account');


--
-- Data for Name: graphics; Type: TABLE DATA; Schema: builder; Owner: -
--

INSERT INTO builder.graphics VALUES ('a0000000-0000-4000-8000-000000000001', 'Lion', 'LION-1', NULL, 'https://cdn.test/library/lion.svg', 'svg', NULL, NULL, NULL, NULL, NULL, true, 0, 'c0000000-0000-4000-8000-0000000000ff', '2026-11-28 20:59:43.476342+00', '2026-11-28 20:59:43.476342+00', NULL);
INSERT INTO builder.graphics VALUES ('a0000000-0000-4000-8000-000000000002', 'Lion', 'LION-2', NULL, 'https://cdn.test/library/lion.svg', 'svg', NULL, NULL, NULL, NULL, NULL, false, 0, 'c0000000-0000-4000-8000-0000000000ff', '2026-11-28 20:59:43.478578+00', '2026-11-28 20:59:43.478578+00', NULL);
INSERT INTO builder.graphics VALUES ('a0000000-0000-4000-8000-000000000003', 'Lion', 'LION-3', NULL, 'https://cdn.test/library/lion.svg', 'svg', NULL, NULL, NULL, NULL, '{logo}', true, 0, 'c0000000-0000-4000-8000-0000000000ff', '2026-11-28 20:59:43.479901+00', '2026-11-28 20:59:43.479901+00', '2026-11-01 00:00:00+00');


--
-- Data for Name: idempotency_keys; Type: TABLE DATA; Schema: builder; Owner: -
--

INSERT INTO builder.idempotency_keys VALUES ('c0000000-0000-4000-8000-000000000001', 'first', 'x', '{"status": 201}', '2026-11-28 20:59:43.496676+00', '{c0000000-0000-4000-8000-000000000001}', true);


--
-- Data for Name: imported_quote_numbers; Type: TABLE DATA; Schema: builder; Owner: -
--

INSERT INTO builder.imported_quote_numbers VALUES ('QT-2020-00001');


--
-- Data for Name: migrations; Type: TABLE DATA; Schema: builder; Owner: -
--

INSERT INTO builder.migrations VALUES (0, NULL, NULL, NULL);
INSERT INTO builder.migrations VALUES (1, 'roles-and-schema', '261c9f3476548329a96e13548478f5a9', '2026-11-28 20:59:42.936+00');
INSERT INTO builder.migrations VALUES (2, 'value-checks', '042868eae25b2fd2e10879b2b46e0889', '2026-11-28 20:59:42.938+00');
INSERT INTO builder.migrations VALUES (3, 'quotes', 'ee1130feb997f3d799e37c10ef4018e6', '2026-11-28 20:59:42.946+00');
INSERT INTO builder.migrations VALUES (4, 'graphics', 'dfefc34111f245d9006752a464755bc9', '2026-11-28 20:59:42.949+00');
INSERT INTO builder.migrations VALUES (5, 'notifications', 'eca7278c44741ae8255beeed55bcc412', '2026-11-28 20:59:42.953+00');
INSERT INTO builder.migrations VALUES (6, 'history-and-numbers', '5b9ed86846798ffd5ded6038b74dc0a2', '2026-11-28 20:59:42.958+00');
INSERT INTO builder.migrations VALUES (7, 'live', 'ac6bf3aad23398b7a6a06ee5783f651d', '2026-11-28 20:59:42.959+00');
INSERT INTO builder.migrations VALUES (8, 'delivery', '58d7627b8093bc6903c31c798a05e419', '2026-11-28 20:59:42.971+00');
INSERT INTO builder.migrations VALUES (9, 'idempotency-sweep-and-settings', '9fd79afe74c7c37ab845cb43fcedb495', '2026-11-28 20:59:42.974+00');
INSERT INTO builder.migrations VALUES (10, 'indexes-of-lasting-data', '53ec131f57a573aea6588fadf03a8acb', '2026-11-28 20:59:42.975+00');
INSERT INTO builder.migrations VALUES (11, 'lasting-data', '31d96454c8e464840c2b167c457992ef', '2026-11-28 20:59:42.977+00');
INSERT INTO builder.migrations VALUES (12, 'undone-messages', '92b9fe79897836c4de491ede52f800fe', '2026-11-28 20:59:42.977+00');
INSERT INTO builder.migrations VALUES (15, 'columns-of-quotes', '40289916a4c2b984519bf58c6abd6f4b', '2026-11-28 20:59:42.978+00');
INSERT INTO builder.migrations VALUES (20, 'functions-that-went', '8b398f162502c6c515b058443bd58ca5', '2026-11-28 20:59:42.978+00');


--
-- Data for Name: notifications; Type: TABLE DATA; Schema: builder; Owner: -
--

INSERT INTO builder.notifications VALUES (1, 'c0000000-0000-4000-8000-000000000001', 'info', 'We have received your quote request QT-2026-00002.', '/quotes/e0000000-0000-4000-8000-000000000002', 'in_app', false, '2026-12-28 20:59:43.067914+00', '2026-11-28 20:59:43.067914+00');
INSERT INTO builder.notifications VALUES (2, 'c0000000-0000-4000-8000-000000000001', 'info', 'We have received your quote request QT-2026-00003.', '/quotes/e0000000-0000-4000-8000-000000000003', 'in_app', false, '2026-12-28 20:59:43.091827+00', '2026-11-28 20:59:43.091827+00');
INSERT INTO builder.notifications VALUES (3, 'c0000000-0000-4000-8000-000000000001', 'info', 'Your quote QT-2026-00003 has its price: $120.00.
It can be approved until January 1, 2099, 00:00 (UTC).', '/quotes/e0000000-0000-4000-8000-000000000003', 'email', false, '2026-12-28 20:59:43.101129+00', '2026-11-28 20:59:43.101129+00');
INSERT INTO builder.notifications VALUES (4, 'c0000000-0000-4000-8000-000000000001', 'info', 'We have received your quote request QT-2026-00004.', '/quotes/e0000000-0000-4000-8000-000000000004', 'in_app', false, '2026-12-28 20:59:43.119952+00', '2026-11-28 20:59:43.119952+00');
INSERT INTO builder.notifications VALUES (5, 'c0000000-0000-4000-8000-000000000001', 'info', 'Your quote QT-2026-00004 has its price: $120.00.
It can be approved until January 1, 2099, 00:00 (UTC).', '/quotes/e0000000-0000-4000-8000-000000000004', 'email', false, '2026-12-28 20:59:43.128203+00', '2026-11-28 20:59:43.128203+00');
INSERT INTO builder.notifications VALUES (6, 'c0000000-0000-4000-8000-000000000001', 'info', 'Your quote QT-2026-00004 was approved by us for you.
Its price is $120.00.', '/quotes/e0000000-0000-4000-8000-000000000004', 'email', false, '2026-12-28 20:59:43.139649+00', '2026-11-28 20:59:43.139649+00');
INSERT INTO builder.notifications VALUES (7, 'c0000000-0000-4000-8000-000000000001', 'info', 'We have received your quote request QT-2026-00005.', '/quotes/e0000000-0000-4000-8000-000000000005', 'in_app', false, '2026-12-28 20:59:43.152985+00', '2026-11-28 20:59:43.152985+00');
INSERT INTO builder.notifications VALUES (8, 'c0000000-0000-4000-8000-000000000001', 'info', 'Your quote QT-2026-00005 has its price: $120.00.
It can be approved until January 1, 2099, 00:00 (UTC).', '/quotes/e0000000-0000-4000-8000-000000000005', 'email', false, '2026-12-28 20:59:43.160066+00', '2026-11-28 20:59:43.160066+00');
INSERT INTO builder.notifications VALUES (9, 'c0000000-0000-4000-8000-000000000001', 'info', 'Your quote QT-2026-00005 was rejected by us.', '/quotes/e0000000-0000-4000-8000-000000000005', 'email', false, '2026-12-28 20:59:43.169653+00', '2026-11-28 20:59:43.169653+00');
INSERT INTO builder.notifications VALUES (10, 'c0000000-0000-4000-8000-000000000001', 'info', 'We have received your quote request QT-2026-00006.', '/quotes/e0000000-0000-4000-8000-000000000006', 'in_app', false, '2026-12-28 20:59:43.17995+00', '2026-11-28 20:59:43.17995+00');
INSERT INTO builder.notifications VALUES (11, 'c0000000-0000-4000-8000-000000000001', 'info', 'Your quote QT-2026-00006 has its price: $120.00.
It can be approved until January 1, 2099, 00:00 (UTC).', '/quotes/e0000000-0000-4000-8000-000000000006', 'email', false, '2026-12-28 20:59:43.186915+00', '2026-11-28 20:59:43.186915+00');
INSERT INTO builder.notifications VALUES (12, 'c0000000-0000-4000-8000-000000000001', 'info', 'Your quote QT-2026-00006 has expired.', '/quotes/e0000000-0000-4000-8000-000000000006', 'email', false, '2026-12-28 20:59:43.196256+00', '2026-11-28 20:59:43.196256+00');
INSERT INTO builder.notifications VALUES (13, 'c0000000-0000-4000-8000-000000000001', 'info', 'We have received your quote request QT-2026-00007.', '/quotes/e0000000-0000-4000-8000-000000000007', 'in_app', false, '2026-12-28 20:59:43.206295+00', '2026-11-28 20:59:43.206295+00');
INSERT INTO builder.notifications VALUES (14, 'c0000000-0000-4000-8000-000000000001', 'info', 'Your quote QT-2026-00007 has its price: $120.00.
It can be approved until January 1, 2099, 00:00 (UTC).', '/quotes/e0000000-0000-4000-8000-000000000007', 'email', false, '2026-12-28 20:59:43.213277+00', '2026-11-28 20:59:43.213277+00');
INSERT INTO builder.notifications VALUES (15, 'c0000000-0000-4000-8000-000000000001', 'info', 'Your order QT-2026-00007 is placed.', '/quotes/e0000000-0000-4000-8000-000000000007', 'email', false, '2026-12-28 20:59:43.223028+00', '2026-11-28 20:59:43.223028+00');
INSERT INTO builder.notifications VALUES (16, 'c0000000-0000-4000-8000-000000000001', 'info', 'We have received your quote request QT-2026-00008.', '/quotes/e0000000-0000-4000-8000-000000000008', 'in_app', false, '2026-12-28 20:59:43.23411+00', '2026-11-28 20:59:43.23411+00');
INSERT INTO builder.notifications VALUES (17, 'c0000000-0000-4000-8000-000000000001', 'info', 'Your quote QT-2026-00008 has its price: $120.00.
It can be approved until January 1, 2099, 00:00 (UTC).', '/quotes/e0000000-0000-4000-8000-000000000008', 'email', false, '2026-12-28 20:59:43.241289+00', '2026-11-28 20:59:43.241289+00');
INSERT INTO builder.notifications VALUES (18, 'c0000000-0000-4000-8000-000000000001', 'info', 'Your quote QT-2026-00008 was cancelled by us.', '/quotes/e0000000-0000-4000-8000-000000000008', 'email', false, '2026-12-28 20:59:43.250773+00', '2026-11-28 20:59:43.250773+00');
INSERT INTO builder.notifications VALUES (19, 'c0000000-0000-4000-8000-000000000001', 'info', 'We have received your quote request QT-2026-00009.', '/quotes/e0000000-0000-4000-8000-000000000009', 'in_app', false, '2026-12-28 20:59:43.260681+00', '2026-11-28 20:59:43.260681+00');
INSERT INTO builder.notifications VALUES (20, 'c0000000-0000-4000-8000-000000000001', 'info', 'Your quote QT-2026-00009 has its price: $120.00.
It can be approved until January 1, 2099, 00:00 (UTC).', '/quotes/e0000000-0000-4000-8000-000000000009', 'email', false, '2026-12-28 20:59:43.267324+00', '2026-11-28 20:59:43.267324+00');
INSERT INTO builder.notifications VALUES (21, 'c0000000-0000-4000-8000-000000000001', 'info', 'Your order QT-2026-00009 is placed.
It is expected on January 1, 2099.', '/quotes/e0000000-0000-4000-8000-000000000009', 'email', false, '2026-12-28 20:59:43.276599+00', '2026-11-28 20:59:43.276599+00');
INSERT INTO builder.notifications VALUES (22, 'c0000000-0000-4000-8000-000000000001', 'info', 'Your order QT-2026-00009 is being reviewed.', '/quotes/e0000000-0000-4000-8000-000000000009', 'email', false, '2026-12-28 20:59:43.286146+00', '2026-11-28 20:59:43.286146+00');
INSERT INTO builder.notifications VALUES (23, 'c0000000-0000-4000-8000-000000000001', 'info', 'We have received your quote request QT-2026-00010.', '/quotes/e0000000-0000-4000-8000-000000000010', 'in_app', false, '2026-12-28 20:59:43.299424+00', '2026-11-28 20:59:43.299424+00');
INSERT INTO builder.notifications VALUES (24, 'c0000000-0000-4000-8000-000000000001', 'info', 'Your quote QT-2026-00010 has its price: $120.00.
It can be approved until January 1, 2099, 00:00 (UTC).', '/quotes/e0000000-0000-4000-8000-000000000010', 'email', false, '2026-12-28 20:59:43.306198+00', '2026-11-28 20:59:43.306198+00');
INSERT INTO builder.notifications VALUES (25, 'c0000000-0000-4000-8000-000000000001', 'info', 'Your order QT-2026-00010 is placed.
It is expected on January 1, 2099.', '/quotes/e0000000-0000-4000-8000-000000000010', 'email', false, '2026-12-28 20:59:43.315757+00', '2026-11-28 20:59:43.315757+00');
INSERT INTO builder.notifications VALUES (26, 'c0000000-0000-4000-8000-000000000001', 'info', 'Your order QT-2026-00010 is being prepared.', '/quotes/e0000000-0000-4000-8000-000000000010', 'email', false, '2026-12-28 20:59:43.325334+00', '2026-11-28 20:59:43.325334+00');
INSERT INTO builder.notifications VALUES (27, 'c0000000-0000-4000-8000-000000000001', 'info', 'We have received your quote request QT-2026-00011.', '/quotes/e0000000-0000-4000-8000-000000000011', 'in_app', false, '2026-12-28 20:59:43.337465+00', '2026-11-28 20:59:43.337465+00');
INSERT INTO builder.notifications VALUES (28, 'c0000000-0000-4000-8000-000000000001', 'info', 'Your quote QT-2026-00011 has its price: $120.00.
It can be approved until January 1, 2099, 00:00 (UTC).', '/quotes/e0000000-0000-4000-8000-000000000011', 'email', false, '2026-12-28 20:59:43.344979+00', '2026-11-28 20:59:43.344979+00');
INSERT INTO builder.notifications VALUES (29, 'c0000000-0000-4000-8000-000000000001', 'info', 'Your order QT-2026-00011 is placed.
It is expected on January 1, 2099.', '/quotes/e0000000-0000-4000-8000-000000000011', 'email', false, '2026-12-28 20:59:43.354163+00', '2026-11-28 20:59:43.354163+00');
INSERT INTO builder.notifications VALUES (30, 'c0000000-0000-4000-8000-000000000001', 'info', 'Your order QT-2026-00011 is on its way.
It is expected on January 1, 2099.', '/quotes/e0000000-0000-4000-8000-000000000011', 'email', false, '2026-12-28 20:59:43.363457+00', '2026-11-28 20:59:43.363457+00');
INSERT INTO builder.notifications VALUES (31, 'c0000000-0000-4000-8000-000000000001', 'info', 'We have received your quote request QT-2026-00012.', '/quotes/e0000000-0000-4000-8000-000000000012', 'in_app', false, '2026-12-28 20:59:43.375286+00', '2026-11-28 20:59:43.375286+00');
INSERT INTO builder.notifications VALUES (32, 'c0000000-0000-4000-8000-000000000001', 'info', 'Your quote QT-2026-00012 has its price: $120.00.
It can be approved until January 1, 2099, 00:00 (UTC).', '/quotes/e0000000-0000-4000-8000-000000000012', 'email', false, '2026-12-28 20:59:43.385656+00', '2026-11-28 20:59:43.385656+00');
INSERT INTO builder.notifications VALUES (33, 'c0000000-0000-4000-8000-000000000001', 'info', 'Your order QT-2026-00012 is placed.
It is expected on January 1, 2099.', '/quotes/e0000000-0000-4000-8000-000000000012', 'email', false, '2026-12-28 20:59:43.394766+00', '2026-11-28 20:59:43.394766+00');
INSERT INTO builder.notifications VALUES (34, 'c0000000-0000-4000-8000-000000000001', 'info', 'Your order QT-2026-00012 has been delivered.', '/quotes/e0000000-0000-4000-8000-000000000012', 'email', false, '2026-12-28 20:59:43.404289+00', '2026-11-28 20:59:43.404289+00');
INSERT INTO builder.notifications VALUES (35, 'c0000000-0000-4000-8000-000000000001', 'info', 'We have received your quote request QT-2026-00013.', '/quotes/e0000000-0000-4000-8000-000000000013', 'in_app', false, '2026-12-28 20:59:43.415653+00', '2026-11-28 20:59:43.415653+00');
INSERT INTO builder.notifications VALUES (36, 'c0000000-0000-4000-8000-000000000001', 'info', 'Your quote QT-2026-00013 has its price: $120.00.
It can be approved until January 1, 2099, 00:00 (UTC).', '/quotes/e0000000-0000-4000-8000-000000000013', 'email', false, '2026-12-28 20:59:43.422712+00', '2026-11-28 20:59:43.422712+00');
INSERT INTO builder.notifications VALUES (37, 'c0000000-0000-4000-8000-000000000001', 'info', 'Your quote QT-2026-00013 was rejected by us.', '/quotes/e0000000-0000-4000-8000-000000000013', 'email', false, '2026-12-28 20:59:43.431958+00', '2026-11-28 20:59:43.431958+00');
INSERT INTO builder.notifications VALUES (38, 'c0000000-0000-4000-8000-000000000001', 'info', 'Your quote QT-2026-00013 was deleted by us.', NULL, 'email', false, '2026-12-28 20:59:43.439937+00', '2026-11-28 20:59:43.439937+00');
INSERT INTO builder.notifications VALUES (39, 'c0000000-0000-4000-8000-000000000001', 'info', 'We have received your quote request QT-2026-00014.', '/quotes/e0000000-0000-4000-8000-000000000014', 'in_app', false, '2026-12-28 20:59:43.448234+00', '2026-11-28 20:59:43.448234+00');
INSERT INTO builder.notifications VALUES (40, 'c0000000-0000-4000-8000-000000000001', 'info', 'Your quote QT-2026-00014 has its price: $120.00.
It can be approved until January 1, 2099, 00:00 (UTC).', '/quotes/e0000000-0000-4000-8000-000000000014', 'email', false, '2026-12-28 20:59:43.455019+00', '2026-11-28 20:59:43.455019+00');
INSERT INTO builder.notifications VALUES (41, 'c0000000-0000-4000-8000-000000000001', 'info', 'The price of your quote QT-2026-00014 has changed: $140.00.
It can be approved until January 1, 2099, 00:00 (UTC).', '/quotes/e0000000-0000-4000-8000-000000000014', 'email', false, '2026-12-28 20:59:43.464358+00', '2026-11-28 20:59:43.464358+00');
INSERT INTO builder.notifications VALUES (42, 'c0000000-0000-4000-8000-000000000001', 'info', 'Your quote is ready', NULL, 'in_app', false, '2099-01-01 00:00:00+00', '2026-11-28 20:59:43.481528+00');
INSERT INTO builder.notifications VALUES (43, 'c0000000-0000-4000-8000-000000000001', 'info', 'Your quote is ready', NULL, 'email', false, '2099-01-01 00:00:00+00', '2026-11-28 20:59:43.483058+00');
INSERT INTO builder.notifications VALUES (44, 'c0000000-0000-4000-8000-000000000001', 'warning', 'Your quote is ready', NULL, 'in_app', false, '2099-01-01 00:00:00+00', '2026-11-28 20:59:43.484303+00');
INSERT INTO builder.notifications VALUES (45, 'c0000000-0000-4000-8000-000000000001', 'warning', 'Your quote is ready', NULL, 'email', false, '2099-01-01 00:00:00+00', '2026-11-28 20:59:43.490194+00');
INSERT INTO builder.notifications VALUES (46, 'c0000000-0000-4000-8000-000000000001', 'error', 'Your quote is ready', NULL, 'in_app', false, '2099-01-01 00:00:00+00', '2026-11-28 20:59:43.491431+00');
INSERT INTO builder.notifications VALUES (47, 'c0000000-0000-4000-8000-000000000001', 'error', 'Your quote is ready', NULL, 'email', false, '2099-01-01 00:00:00+00', '2026-11-28 20:59:43.492536+00');
INSERT INTO builder.notifications VALUES (48, '00000000-0000-0000-0000-000000000000', 'info', 'Your quote is ready', NULL, 'in_app', false, NULL, '2026-11-28 20:59:43.493863+00');
INSERT INTO builder.notifications VALUES (49, 'c0000000-0000-4000-8000-000000000001', 'info', 'Your quote is ready', NULL, 'in_app', false, '2026-11-01 00:00:00+00', '2026-11-28 20:59:43.496224+00');


--
-- Data for Name: price; Type: TABLE DATA; Schema: builder; Owner: -
--



--
-- Data for Name: quote_events; Type: TABLE DATA; Schema: builder; Owner: -
--

INSERT INTO builder.quote_events VALUES (1, 'e0000000-0000-4000-8000-000000000002', 'c0000000-0000-4000-8000-000000000001', 'quote.submitted', 'submitted', 'draft', NULL, NULL, NULL, 'USD', NULL, NULL, 'fd4eb5a7a1f9402f5c182c8cf4d9f88d2ff1b01bf0584ae25fa30707c81fb16e', true, '2026-11-28 20:59:43.072908+00', 'c0000000-0000-4000-8000-000000000001', 'customer', NULL);
INSERT INTO builder.quote_events VALUES (2, 'e0000000-0000-4000-8000-000000000003', 'c0000000-0000-4000-8000-000000000001', 'quote.submitted', 'submitted', 'draft', NULL, NULL, NULL, 'USD', NULL, NULL, '1629a16b887cd7e5234739d6178e5e7742832154da249af1a6754b32d977299e', true, '2026-11-28 20:59:43.093272+00', 'c0000000-0000-4000-8000-000000000001', 'customer', NULL);
INSERT INTO builder.quote_events VALUES (3, 'e0000000-0000-4000-8000-000000000003', 'c0000000-0000-4000-8000-000000000001', 'quote.quoted', 'quoted', 'submitted', NULL, 10, 120, 'USD', '2099-01-01 00:00:00+00', 1, NULL, true, '2026-11-28 20:59:43.10614+00', NULL, 'staff', 'c0000000-0000-4000-8000-0000000000ff');
INSERT INTO builder.quote_events VALUES (4, 'e0000000-0000-4000-8000-000000000004', 'c0000000-0000-4000-8000-000000000001', 'quote.submitted', 'submitted', 'draft', NULL, NULL, NULL, 'USD', NULL, NULL, '1d58a6062490a5754e11466bce412dc5274b8213fe4bd3c4328098b23c4de438', true, '2026-11-28 20:59:43.121414+00', 'c0000000-0000-4000-8000-000000000001', 'customer', NULL);
INSERT INTO builder.quote_events VALUES (5, 'e0000000-0000-4000-8000-000000000004', 'c0000000-0000-4000-8000-000000000001', 'quote.quoted', 'quoted', 'submitted', NULL, 10, 120, 'USD', '2099-01-01 00:00:00+00', 1, NULL, true, '2026-11-28 20:59:43.130363+00', NULL, 'staff', 'c0000000-0000-4000-8000-0000000000ff');
INSERT INTO builder.quote_events VALUES (6, 'e0000000-0000-4000-8000-000000000004', 'c0000000-0000-4000-8000-000000000001', 'quote.approved', 'approved', 'quoted', NULL, 10, 120, 'USD', '2099-01-01 00:00:00+00', 1, NULL, true, '2026-11-28 20:59:43.141904+00', NULL, 'service', NULL);
INSERT INTO builder.quote_events VALUES (7, 'e0000000-0000-4000-8000-000000000005', 'c0000000-0000-4000-8000-000000000001', 'quote.submitted', 'submitted', 'draft', NULL, NULL, NULL, 'USD', NULL, NULL, 'edac0f6f53d54dd727f1dc43b97ae1f07d8b2ff846821f666a0c2c072b012df1', true, '2026-11-28 20:59:43.15428+00', 'c0000000-0000-4000-8000-000000000001', 'customer', NULL);
INSERT INTO builder.quote_events VALUES (8, 'e0000000-0000-4000-8000-000000000005', 'c0000000-0000-4000-8000-000000000001', 'quote.quoted', 'quoted', 'submitted', NULL, 10, 120, 'USD', '2099-01-01 00:00:00+00', 1, NULL, true, '2026-11-28 20:59:43.161962+00', NULL, 'staff', 'c0000000-0000-4000-8000-0000000000ff');
INSERT INTO builder.quote_events VALUES (9, 'e0000000-0000-4000-8000-000000000005', 'c0000000-0000-4000-8000-000000000001', 'quote.rejected', 'rejected', 'quoted', NULL, 10, 120, 'USD', '2099-01-01 00:00:00+00', 1, NULL, true, '2026-11-28 20:59:43.170454+00', NULL, 'service', NULL);
INSERT INTO builder.quote_events VALUES (10, 'e0000000-0000-4000-8000-000000000006', 'c0000000-0000-4000-8000-000000000001', 'quote.submitted', 'submitted', 'draft', NULL, NULL, NULL, 'USD', NULL, NULL, 'e270b132ecbe8250851f054aa6d62578e78cb09b76bc5403ebe1b40bf897708e', true, '2026-11-28 20:59:43.181238+00', 'c0000000-0000-4000-8000-000000000001', 'customer', NULL);
INSERT INTO builder.quote_events VALUES (11, 'e0000000-0000-4000-8000-000000000006', 'c0000000-0000-4000-8000-000000000001', 'quote.quoted', 'quoted', 'submitted', NULL, 10, 120, 'USD', '2099-01-01 00:00:00+00', 1, NULL, true, '2026-11-28 20:59:43.188786+00', NULL, 'staff', 'c0000000-0000-4000-8000-0000000000ff');
INSERT INTO builder.quote_events VALUES (12, 'e0000000-0000-4000-8000-000000000006', 'c0000000-0000-4000-8000-000000000001', 'quote.expired', 'expired', 'quoted', NULL, 10, 120, 'USD', '2099-01-01 00:00:00+00', 1, NULL, true, '2026-11-28 20:59:43.197017+00', NULL, 'service', NULL);
INSERT INTO builder.quote_events VALUES (13, 'e0000000-0000-4000-8000-000000000007', 'c0000000-0000-4000-8000-000000000001', 'quote.submitted', 'submitted', 'draft', NULL, NULL, NULL, 'USD', NULL, NULL, '0c739b5ad676fd30b8855e6165e8186bfd6d2339f37e1020ffedbf0d20be9901', true, '2026-11-28 20:59:43.207507+00', 'c0000000-0000-4000-8000-000000000001', 'customer', NULL);
INSERT INTO builder.quote_events VALUES (14, 'e0000000-0000-4000-8000-000000000007', 'c0000000-0000-4000-8000-000000000001', 'quote.quoted', 'quoted', 'submitted', NULL, 10, 120, 'USD', '2099-01-01 00:00:00+00', 1, NULL, true, '2026-11-28 20:59:43.215039+00', NULL, 'staff', 'c0000000-0000-4000-8000-0000000000ff');
INSERT INTO builder.quote_events VALUES (15, 'e0000000-0000-4000-8000-000000000007', 'c0000000-0000-4000-8000-000000000001', 'quote.ordered', 'ordered', 'quoted', NULL, 10, 120, 'USD', '2099-01-01 00:00:00+00', 1, NULL, true, '2026-11-28 20:59:43.224292+00', NULL, 'service', NULL);
INSERT INTO builder.quote_events VALUES (16, 'e0000000-0000-4000-8000-000000000008', 'c0000000-0000-4000-8000-000000000001', 'quote.submitted', 'submitted', 'draft', NULL, NULL, NULL, 'USD', NULL, NULL, '3168f0586c857238f2a802ac0764043e41193e65da85c879f458ecb3b67d36a4', true, '2026-11-28 20:59:43.235371+00', 'c0000000-0000-4000-8000-000000000001', 'customer', NULL);
INSERT INTO builder.quote_events VALUES (17, 'e0000000-0000-4000-8000-000000000008', 'c0000000-0000-4000-8000-000000000001', 'quote.quoted', 'quoted', 'submitted', NULL, 10, 120, 'USD', '2099-01-01 00:00:00+00', 1, NULL, true, '2026-11-28 20:59:43.243062+00', NULL, 'staff', 'c0000000-0000-4000-8000-0000000000ff');
INSERT INTO builder.quote_events VALUES (18, 'e0000000-0000-4000-8000-000000000008', 'c0000000-0000-4000-8000-000000000001', 'quote.cancelled', 'cancelled', 'quoted', NULL, 10, 120, 'USD', '2099-01-01 00:00:00+00', 1, NULL, true, '2026-11-28 20:59:43.25156+00', NULL, 'service', NULL);
INSERT INTO builder.quote_events VALUES (19, 'e0000000-0000-4000-8000-000000000009', 'c0000000-0000-4000-8000-000000000001', 'quote.submitted', 'submitted', 'draft', NULL, NULL, NULL, 'USD', NULL, NULL, '5ddbc294b318c4cf5074c284488f7f7f5e3b5cd115e3d86d823eef8906f2a046', true, '2026-11-28 20:59:43.261728+00', 'c0000000-0000-4000-8000-000000000001', 'customer', NULL);
INSERT INTO builder.quote_events VALUES (20, 'e0000000-0000-4000-8000-000000000009', 'c0000000-0000-4000-8000-000000000001', 'quote.quoted', 'quoted', 'submitted', NULL, 10, 120, 'USD', '2099-01-01 00:00:00+00', 1, NULL, true, '2026-11-28 20:59:43.269068+00', NULL, 'staff', 'c0000000-0000-4000-8000-0000000000ff');
INSERT INTO builder.quote_events VALUES (21, 'e0000000-0000-4000-8000-000000000009', 'c0000000-0000-4000-8000-000000000001', 'quote.ordered', 'ordered', 'quoted', NULL, 10, 120, 'USD', '2099-01-01 00:00:00+00', 1, NULL, true, '2026-11-28 20:59:43.278163+00', NULL, 'service', NULL);
INSERT INTO builder.quote_events VALUES (22, 'e0000000-0000-4000-8000-000000000009', 'c0000000-0000-4000-8000-000000000001', 'quote.reviewing', 'ordered', 'ordered', 'reviewing', 10, 120, 'USD', '2099-01-01 00:00:00+00', 1, NULL, true, '2026-11-28 20:59:43.287715+00', NULL, 'staff', 'c0000000-0000-4000-8000-0000000000ff');
INSERT INTO builder.quote_events VALUES (23, 'e0000000-0000-4000-8000-000000000010', 'c0000000-0000-4000-8000-000000000001', 'quote.submitted', 'submitted', 'draft', NULL, NULL, NULL, 'USD', NULL, NULL, 'd6e9dc6ea0cb7b6cd912c29c07cdc0ddf9ff742c09fa2c17352e57cd6f8b5e21', true, '2026-11-28 20:59:43.300523+00', 'c0000000-0000-4000-8000-000000000001', 'customer', NULL);
INSERT INTO builder.quote_events VALUES (24, 'e0000000-0000-4000-8000-000000000010', 'c0000000-0000-4000-8000-000000000001', 'quote.quoted', 'quoted', 'submitted', NULL, 10, 120, 'USD', '2099-01-01 00:00:00+00', 1, NULL, true, '2026-11-28 20:59:43.307843+00', NULL, 'staff', 'c0000000-0000-4000-8000-0000000000ff');
INSERT INTO builder.quote_events VALUES (25, 'e0000000-0000-4000-8000-000000000010', 'c0000000-0000-4000-8000-000000000001', 'quote.ordered', 'ordered', 'quoted', NULL, 10, 120, 'USD', '2099-01-01 00:00:00+00', 1, NULL, true, '2026-11-28 20:59:43.317023+00', NULL, 'service', NULL);
INSERT INTO builder.quote_events VALUES (26, 'e0000000-0000-4000-8000-000000000010', 'c0000000-0000-4000-8000-000000000001', 'quote.preparing', 'ordered', 'ordered', 'preparing', 10, 120, 'USD', '2099-01-01 00:00:00+00', 1, NULL, true, '2026-11-28 20:59:43.326558+00', NULL, 'staff', 'c0000000-0000-4000-8000-0000000000ff');
INSERT INTO builder.quote_events VALUES (27, 'e0000000-0000-4000-8000-000000000011', 'c0000000-0000-4000-8000-000000000001', 'quote.submitted', 'submitted', 'draft', NULL, NULL, NULL, 'USD', NULL, NULL, 'd7c7169c7aceeaf0a25ff54b59e3d9d1fbac736ea52f34df664823d1a0105f5f', true, '2026-11-28 20:59:43.339272+00', 'c0000000-0000-4000-8000-000000000001', 'customer', NULL);
INSERT INTO builder.quote_events VALUES (28, 'e0000000-0000-4000-8000-000000000011', 'c0000000-0000-4000-8000-000000000001', 'quote.quoted', 'quoted', 'submitted', NULL, 10, 120, 'USD', '2099-01-01 00:00:00+00', 1, NULL, true, '2026-11-28 20:59:43.346736+00', NULL, 'staff', 'c0000000-0000-4000-8000-0000000000ff');
INSERT INTO builder.quote_events VALUES (29, 'e0000000-0000-4000-8000-000000000011', 'c0000000-0000-4000-8000-000000000001', 'quote.ordered', 'ordered', 'quoted', NULL, 10, 120, 'USD', '2099-01-01 00:00:00+00', 1, NULL, true, '2026-11-28 20:59:43.355428+00', NULL, 'service', NULL);
INSERT INTO builder.quote_events VALUES (30, 'e0000000-0000-4000-8000-000000000011', 'c0000000-0000-4000-8000-000000000001', 'quote.shipping', 'ordered', 'ordered', 'shipping', 10, 120, 'USD', '2099-01-01 00:00:00+00', 1, NULL, true, '2026-11-28 20:59:43.364549+00', NULL, 'staff', 'c0000000-0000-4000-8000-0000000000ff');
INSERT INTO builder.quote_events VALUES (31, 'e0000000-0000-4000-8000-000000000012', 'c0000000-0000-4000-8000-000000000001', 'quote.submitted', 'submitted', 'draft', NULL, NULL, NULL, 'USD', NULL, NULL, '5a3b8baf6e9d5414803e8928355454e2a06455dd830417f93e08198aeba9f19e', true, '2026-11-28 20:59:43.379902+00', 'c0000000-0000-4000-8000-000000000001', 'customer', NULL);
INSERT INTO builder.quote_events VALUES (32, 'e0000000-0000-4000-8000-000000000012', 'c0000000-0000-4000-8000-000000000001', 'quote.quoted', 'quoted', 'submitted', NULL, 10, 120, 'USD', '2099-01-01 00:00:00+00', 1, NULL, true, '2026-11-28 20:59:43.387332+00', NULL, 'staff', 'c0000000-0000-4000-8000-0000000000ff');
INSERT INTO builder.quote_events VALUES (33, 'e0000000-0000-4000-8000-000000000012', 'c0000000-0000-4000-8000-000000000001', 'quote.ordered', 'ordered', 'quoted', NULL, 10, 120, 'USD', '2099-01-01 00:00:00+00', 1, NULL, true, '2026-11-28 20:59:43.396027+00', NULL, 'service', NULL);
INSERT INTO builder.quote_events VALUES (34, 'e0000000-0000-4000-8000-000000000012', 'c0000000-0000-4000-8000-000000000001', 'quote.delivered', 'ordered', 'ordered', 'delivered', 10, 120, 'USD', '2099-01-01 00:00:00+00', 1, NULL, true, '2026-11-28 20:59:43.405633+00', NULL, 'staff', 'c0000000-0000-4000-8000-0000000000ff');
INSERT INTO builder.quote_events VALUES (35, 'e0000000-0000-4000-8000-000000000013', 'c0000000-0000-4000-8000-000000000001', 'quote.submitted', 'submitted', 'draft', NULL, NULL, NULL, 'USD', NULL, NULL, 'ecd8e2c4456a00e5ece451051a21ca1e495c398a1985368a8daaf8c61f4e8a23', true, '2026-11-28 20:59:43.416747+00', 'c0000000-0000-4000-8000-000000000001', 'customer', NULL);
INSERT INTO builder.quote_events VALUES (36, 'e0000000-0000-4000-8000-000000000013', 'c0000000-0000-4000-8000-000000000001', 'quote.quoted', 'quoted', 'submitted', NULL, 10, 120, 'USD', '2099-01-01 00:00:00+00', 1, NULL, true, '2026-11-28 20:59:43.424416+00', NULL, 'staff', 'c0000000-0000-4000-8000-0000000000ff');
INSERT INTO builder.quote_events VALUES (37, 'e0000000-0000-4000-8000-000000000013', 'c0000000-0000-4000-8000-000000000001', 'quote.rejected', 'rejected', 'quoted', NULL, 10, 120, 'USD', '2099-01-01 00:00:00+00', 1, NULL, true, '2026-11-28 20:59:43.433169+00', NULL, 'staff', 'c0000000-0000-4000-8000-0000000000ff');
INSERT INTO builder.quote_events VALUES (38, 'e0000000-0000-4000-8000-000000000013', 'c0000000-0000-4000-8000-000000000001', 'quote.deleted', 'rejected', 'rejected', NULL, 10, 120, 'USD', '2099-01-01 00:00:00+00', 1, NULL, true, '2026-11-28 20:59:43.441461+00', NULL, 'staff', 'c0000000-0000-4000-8000-0000000000ff');
INSERT INTO builder.quote_events VALUES (39, 'e0000000-0000-4000-8000-000000000014', 'c0000000-0000-4000-8000-000000000001', 'quote.submitted', 'submitted', 'draft', NULL, NULL, NULL, 'USD', NULL, NULL, 'b0991d9cd1dac02190f471bf552ad39188f257bab8aebbc7b7353f0524c98e53', true, '2026-11-28 20:59:43.449423+00', 'c0000000-0000-4000-8000-000000000001', 'customer', NULL);
INSERT INTO builder.quote_events VALUES (40, 'e0000000-0000-4000-8000-000000000014', 'c0000000-0000-4000-8000-000000000001', 'quote.quoted', 'quoted', 'submitted', NULL, 10, 120, 'USD', '2099-01-01 00:00:00+00', 1, NULL, true, '2026-11-28 20:59:43.456708+00', NULL, 'staff', 'c0000000-0000-4000-8000-0000000000ff');
INSERT INTO builder.quote_events VALUES (41, 'e0000000-0000-4000-8000-000000000014', 'c0000000-0000-4000-8000-000000000001', 'quote.repriced', 'quoted', 'quoted', NULL, 10, 140, 'USD', '2099-01-01 00:00:00+00', 2, NULL, true, '2026-11-28 20:59:43.466067+00', NULL, 'staff', 'c0000000-0000-4000-8000-0000000000ff');
INSERT INTO builder.quote_events VALUES (42, '5ea51ca7-1100-45fd-8c63-937588116917', 'c0000000-0000-4000-8000-000000000001', 'quote.ordered', 'ordered', NULL, NULL, NULL, NULL, 'USD', NULL, NULL, '40e8d1ce5c3b6ef415c5877ed5608f2f94df6a6f2c66fea62ae4085142c5cd7a', false, '2026-11-28 20:59:43.475334+00', NULL, 'service', NULL);


--
-- Data for Name: quote_numbers; Type: TABLE DATA; Schema: builder; Owner: -
--

INSERT INTO builder.quote_numbers VALUES (2026, 14);


--
-- Data for Name: quote_offers; Type: TABLE DATA; Schema: builder; Owner: -
--

INSERT INTO builder.quote_offers VALUES (10, 120, 'USD', '5096f470-732f-47a4-85b3-d2e2e065f755', NULL, 'baseball', false, 12, '{"M": 12}', '{}', '{"team": "Lions"}', 1, 'e0000000-0000-4000-8000-000000000003', 'c0000000-0000-4000-8000-000000000001', 1, NULL, NULL, '2026-11-28 20:59:43.105694+00', 'staff');
INSERT INTO builder.quote_offers VALUES (10, 120, 'USD', '1d9dec57-40d1-4dba-aa27-a95fa05cd816', NULL, 'baseball', false, 12, '{"M": 12}', '{}', '{"team": "Lions"}', 2, 'e0000000-0000-4000-8000-000000000004', 'c0000000-0000-4000-8000-000000000001', 1, NULL, NULL, '2026-11-28 20:59:43.130101+00', 'staff');
INSERT INTO builder.quote_offers VALUES (10, 120, 'USD', '8af7c0b7-8620-46f9-bf59-8e44fe99152a', NULL, 'baseball', false, 12, '{"M": 12}', '{}', '{"team": "Lions"}', 3, 'e0000000-0000-4000-8000-000000000005', 'c0000000-0000-4000-8000-000000000001', 1, NULL, NULL, '2026-11-28 20:59:43.161834+00', 'staff');
INSERT INTO builder.quote_offers VALUES (10, 120, 'USD', '2af8ca53-1914-4a7d-84be-41771e3b1d1e', NULL, 'baseball', false, 12, '{"M": 12}', '{}', '{"team": "Lions"}', 4, 'e0000000-0000-4000-8000-000000000006', 'c0000000-0000-4000-8000-000000000001', 1, NULL, NULL, '2026-11-28 20:59:43.188653+00', 'staff');
INSERT INTO builder.quote_offers VALUES (10, 120, 'USD', '0c2322d8-3f9e-4c1d-9741-d0acabae3b13', NULL, 'baseball', false, 12, '{"M": 12}', '{}', '{"team": "Lions"}', 5, 'e0000000-0000-4000-8000-000000000007', 'c0000000-0000-4000-8000-000000000001', 1, NULL, NULL, '2026-11-28 20:59:43.214905+00', 'staff');
INSERT INTO builder.quote_offers VALUES (10, 120, 'USD', 'ceef6773-ff17-4fbf-9cbb-ee4e153bc461', NULL, 'baseball', false, 12, '{"M": 12}', '{}', '{"team": "Lions"}', 6, 'e0000000-0000-4000-8000-000000000008', 'c0000000-0000-4000-8000-000000000001', 1, NULL, NULL, '2026-11-28 20:59:43.242931+00', 'staff');
INSERT INTO builder.quote_offers VALUES (10, 120, 'USD', '6df5156a-af56-4531-86a1-e271d7d3f4b7', NULL, 'baseball', false, 12, '{"M": 12}', '{}', '{"team": "Lions"}', 7, 'e0000000-0000-4000-8000-000000000009', 'c0000000-0000-4000-8000-000000000001', 1, NULL, NULL, '2026-11-28 20:59:43.268966+00', 'staff');
INSERT INTO builder.quote_offers VALUES (10, 120, 'USD', '072cde56-9cd2-41b4-9d2e-cc6c1b32128c', NULL, 'baseball', false, 12, '{"M": 12}', '{}', '{"team": "Lions"}', 8, 'e0000000-0000-4000-8000-000000000010', 'c0000000-0000-4000-8000-000000000001', 1, NULL, NULL, '2026-11-28 20:59:43.307745+00', 'staff');
INSERT INTO builder.quote_offers VALUES (10, 120, 'USD', '02415328-c633-43a2-981b-da325ba2f988', NULL, 'baseball', false, 12, '{"M": 12}', '{}', '{"team": "Lions"}', 9, 'e0000000-0000-4000-8000-000000000011', 'c0000000-0000-4000-8000-000000000001', 1, NULL, NULL, '2026-11-28 20:59:43.346637+00', 'staff');
INSERT INTO builder.quote_offers VALUES (10, 120, 'USD', 'e8f555bb-be3d-4a73-b095-5e541cd00014', NULL, 'baseball', false, 12, '{"M": 12}', '{}', '{"team": "Lions"}', 10, 'e0000000-0000-4000-8000-000000000012', 'c0000000-0000-4000-8000-000000000001', 1, NULL, NULL, '2026-11-28 20:59:43.387234+00', 'staff');
INSERT INTO builder.quote_offers VALUES (10, 120, 'USD', '0e3ff139-c386-42e5-b9a3-61e18417e08f', NULL, 'baseball', false, 12, '{"M": 12}', '{}', '{"team": "Lions"}', 11, 'e0000000-0000-4000-8000-000000000013', 'c0000000-0000-4000-8000-000000000001', 1, NULL, NULL, '2026-11-28 20:59:43.424313+00', 'staff');
INSERT INTO builder.quote_offers VALUES (10, 120, 'USD', '07849f54-5a6c-4adc-9572-f5361a1706d1', NULL, 'baseball', false, 12, '{"M": 12}', '{}', '{"team": "Lions"}', 12, 'e0000000-0000-4000-8000-000000000014', 'c0000000-0000-4000-8000-000000000001', 1, NULL, NULL, '2026-11-28 20:59:43.456609+00', 'staff');
INSERT INTO builder.quote_offers VALUES (10, 140, 'USD', '07849f54-5a6c-4adc-9572-f5361a1706d1', NULL, 'baseball', false, 12, '{"M": 12}', '{}', '{"team": "Lions"}', 13, 'e0000000-0000-4000-8000-000000000014', 'c0000000-0000-4000-8000-000000000001', 2, NULL, NULL, '2026-11-28 20:59:43.46597+00', 'staff');


--
-- Data for Name: quote_transitions; Type: TABLE DATA; Schema: builder; Owner: -
--

INSERT INTO builder.quote_transitions VALUES ('draft', 'submitted');
INSERT INTO builder.quote_transitions VALUES ('draft', 'cancelled');
INSERT INTO builder.quote_transitions VALUES ('submitted', 'draft');
INSERT INTO builder.quote_transitions VALUES ('submitted', 'cancelled');
INSERT INTO builder.quote_transitions VALUES ('quoted', 'approved');
INSERT INTO builder.quote_transitions VALUES ('quoted', 'rejected');
INSERT INTO builder.quote_transitions VALUES ('quoted', 'submitted');
INSERT INTO builder.quote_transitions VALUES ('quoted', 'cancelled');
INSERT INTO builder.quote_transitions VALUES ('approved', 'cancelled');
INSERT INTO builder.quote_transitions VALUES ('rejected', 'draft');
INSERT INTO builder.quote_transitions VALUES ('rejected', 'submitted');
INSERT INTO builder.quote_transitions VALUES ('expired', 'draft');
INSERT INTO builder.quote_transitions VALUES ('expired', 'submitted');


--
-- Data for Name: quotes; Type: TABLE DATA; Schema: builder; Owner: -
--

INSERT INTO builder.quotes VALUES (NULL, NULL, 'USD', '69fec5f5-80bd-4615-8cf3-ef9b96b23a74', NULL, 'baseball', false, 12, '{"M": 12}', '{}', '{"team": "Lions"}', 'e0000000-0000-4000-8000-000000000001', 'c0000000-0000-4000-8000-000000000001', 'QT-2026-00001', 'draft', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'builder', 'c0000000-0000-4000-8000-000000000001', '2026-11-28 20:59:43.06256+00', '2026-11-28 20:59:43.06256+00', NULL, NULL, NULL, NULL, 'ann@customer.test', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO builder.quotes VALUES (NULL, NULL, 'USD', 'b987e138-1010-451f-8a6b-dd9e2e3b15b9', NULL, 'baseball', false, 12, '{"M": 12}', '{}', '{"team": "Lions"}', 'e0000000-0000-4000-8000-000000000002', 'c0000000-0000-4000-8000-000000000001', 'QT-2026-00002', 'submitted', NULL, NULL, NULL, NULL, '2026-11-28 20:59:43.070359+00', NULL, NULL, NULL, NULL, 'builder', 'c0000000-0000-4000-8000-000000000001', '2026-11-28 20:59:43.067139+00', '2026-11-28 20:59:43.070359+00', NULL, NULL, NULL, NULL, 'ann@customer.test', NULL, NULL, 'Lions', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO builder.quotes VALUES (10, 120, 'USD', '5096f470-732f-47a4-85b3-d2e2e065f755', NULL, 'baseball', false, 12, '{"M": 12}', '{}', '{"team": "Lions"}', 'e0000000-0000-4000-8000-000000000003', 'c0000000-0000-4000-8000-000000000001', 'QT-2026-00003', 'quoted', NULL, NULL, NULL, NULL, '2026-11-28 20:59:43.092707+00', '2026-11-28 20:59:43.103634+00', 'c0000000-0000-4000-8000-0000000000ff', NULL, '2099-01-01 00:00:00+00', 'builder', 'c0000000-0000-4000-8000-000000000001', '2026-11-28 20:59:43.091076+00', '2026-11-28 20:59:43.103634+00', NULL, NULL, NULL, NULL, 'ann@customer.test', NULL, NULL, 'Lions', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO builder.quotes VALUES (10, 120, 'USD', '1d9dec57-40d1-4dba-aa27-a95fa05cd816', NULL, 'baseball', false, 12, '{"M": 12}', '{}', '{"team": "Lions"}', 'e0000000-0000-4000-8000-000000000004', 'c0000000-0000-4000-8000-000000000001', 'QT-2026-00004', 'approved', NULL, NULL, NULL, NULL, '2026-11-28 20:59:43.120863+00', '2026-11-28 20:59:43.129473+00', 'c0000000-0000-4000-8000-0000000000ff', '2026-11-28 20:59:43.141255+00', '2099-01-01 00:00:00+00', 'builder', 'c0000000-0000-4000-8000-000000000001', '2026-11-28 20:59:43.118932+00', '2026-11-28 20:59:43.141255+00', NULL, NULL, NULL, NULL, 'ann@customer.test', NULL, NULL, 'Lions', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO builder.quotes VALUES (10, 120, 'USD', '8af7c0b7-8620-46f9-bf59-8e44fe99152a', NULL, 'baseball', false, 12, '{"M": 12}', '{}', '{"team": "Lions"}', 'e0000000-0000-4000-8000-000000000005', 'c0000000-0000-4000-8000-000000000001', 'QT-2026-00005', 'rejected', NULL, NULL, NULL, NULL, '2026-11-28 20:59:43.153901+00', '2026-11-28 20:59:43.16121+00', 'c0000000-0000-4000-8000-0000000000ff', NULL, '2099-01-01 00:00:00+00', 'builder', 'c0000000-0000-4000-8000-000000000001', '2026-11-28 20:59:43.152273+00', '2026-11-28 20:59:43.170002+00', NULL, NULL, NULL, NULL, 'ann@customer.test', NULL, NULL, 'Lions', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO builder.quotes VALUES (10, 120, 'USD', '2af8ca53-1914-4a7d-84be-41771e3b1d1e', NULL, 'baseball', false, 12, '{"M": 12}', '{}', '{"team": "Lions"}', 'e0000000-0000-4000-8000-000000000006', 'c0000000-0000-4000-8000-000000000001', 'QT-2026-00006', 'expired', NULL, NULL, NULL, NULL, '2026-11-28 20:59:43.180778+00', '2026-11-28 20:59:43.187978+00', 'c0000000-0000-4000-8000-0000000000ff', NULL, '2099-01-01 00:00:00+00', 'builder', 'c0000000-0000-4000-8000-000000000001', '2026-11-28 20:59:43.179242+00', '2026-11-28 20:59:43.196621+00', NULL, NULL, NULL, NULL, 'ann@customer.test', NULL, NULL, 'Lions', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO builder.quotes VALUES (10, 120, 'USD', '0c2322d8-3f9e-4c1d-9741-d0acabae3b13', NULL, 'baseball', false, 12, '{"M": 12}', '{}', '{"team": "Lions"}', 'e0000000-0000-4000-8000-000000000007', 'c0000000-0000-4000-8000-000000000001', 'QT-2026-00007', 'ordered', NULL, NULL, NULL, NULL, '2026-11-28 20:59:43.207134+00', '2026-11-28 20:59:43.214357+00', 'c0000000-0000-4000-8000-0000000000ff', NULL, '2099-01-01 00:00:00+00', 'builder', 'c0000000-0000-4000-8000-000000000001', '2026-11-28 20:59:43.205552+00', '2026-11-28 20:59:43.223908+00', NULL, NULL, NULL, NULL, 'ann@customer.test', NULL, NULL, 'Lions', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO builder.quotes VALUES (10, 120, 'USD', 'ceef6773-ff17-4fbf-9cbb-ee4e153bc461', NULL, 'baseball', false, 12, '{"M": 12}', '{}', '{"team": "Lions"}', 'e0000000-0000-4000-8000-000000000008', 'c0000000-0000-4000-8000-000000000001', 'QT-2026-00008', 'cancelled', NULL, NULL, NULL, NULL, '2026-11-28 20:59:43.23498+00', '2026-11-28 20:59:43.24238+00', 'c0000000-0000-4000-8000-0000000000ff', NULL, '2099-01-01 00:00:00+00', 'builder', 'c0000000-0000-4000-8000-000000000001', '2026-11-28 20:59:43.233395+00', '2026-11-28 20:59:43.251164+00', NULL, NULL, NULL, NULL, 'ann@customer.test', NULL, NULL, 'Lions', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO builder.quotes VALUES (10, 120, 'USD', '6df5156a-af56-4531-86a1-e271d7d3f4b7', NULL, 'baseball', false, 12, '{"M": 12}', '{}', '{"team": "Lions"}', 'e0000000-0000-4000-8000-000000000009', 'c0000000-0000-4000-8000-000000000001', 'QT-2026-00009', 'ordered', NULL, NULL, NULL, NULL, '2026-11-28 20:59:43.261361+00', '2026-11-28 20:59:43.268392+00', 'c0000000-0000-4000-8000-0000000000ff', NULL, '2099-01-01 00:00:00+00', 'builder', 'c0000000-0000-4000-8000-000000000001', '2026-11-28 20:59:43.260025+00', '2026-11-28 20:59:43.287361+00', NULL, 'reviewing', '2099-01-01 00:00:00+00', NULL, 'ann@customer.test', NULL, NULL, 'Lions', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO builder.quotes VALUES (10, 120, 'USD', '072cde56-9cd2-41b4-9d2e-cc6c1b32128c', NULL, 'baseball', false, 12, '{"M": 12}', '{}', '{"team": "Lions"}', 'e0000000-0000-4000-8000-000000000010', 'c0000000-0000-4000-8000-000000000001', 'QT-2026-00010', 'ordered', NULL, NULL, NULL, NULL, '2026-11-28 20:59:43.300148+00', '2026-11-28 20:59:43.307196+00', 'c0000000-0000-4000-8000-0000000000ff', NULL, '2099-01-01 00:00:00+00', 'builder', 'c0000000-0000-4000-8000-000000000001', '2026-11-28 20:59:43.298653+00', '2026-11-28 20:59:43.326207+00', NULL, 'preparing', '2099-01-01 00:00:00+00', NULL, 'ann@customer.test', NULL, NULL, 'Lions', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO builder.quotes VALUES (10, 120, 'USD', '02415328-c633-43a2-981b-da325ba2f988', NULL, 'baseball', false, 12, '{"M": 12}', '{}', '{"team": "Lions"}', 'e0000000-0000-4000-8000-000000000011', 'c0000000-0000-4000-8000-000000000001', 'QT-2026-00011', 'ordered', NULL, NULL, NULL, NULL, '2026-11-28 20:59:43.338891+00', '2026-11-28 20:59:43.346068+00', 'c0000000-0000-4000-8000-0000000000ff', NULL, '2099-01-01 00:00:00+00', 'builder', 'c0000000-0000-4000-8000-000000000001', '2026-11-28 20:59:43.335781+00', '2026-11-28 20:59:43.364197+00', NULL, 'shipping', '2099-01-01 00:00:00+00', NULL, 'ann@customer.test', NULL, NULL, 'Lions', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO builder.quotes VALUES (10, 120, 'USD', 'e8f555bb-be3d-4a73-b095-5e541cd00014', NULL, 'baseball', false, 12, '{"M": 12}', '{}', '{"team": "Lions"}', 'e0000000-0000-4000-8000-000000000012', 'c0000000-0000-4000-8000-000000000001', 'QT-2026-00012', 'ordered', NULL, NULL, NULL, NULL, '2026-11-28 20:59:43.379519+00', '2026-11-28 20:59:43.386678+00', 'c0000000-0000-4000-8000-0000000000ff', NULL, '2099-01-01 00:00:00+00', 'builder', 'c0000000-0000-4000-8000-000000000001', '2026-11-28 20:59:43.37454+00', '2026-11-28 20:59:43.405273+00', NULL, 'delivered', '2099-01-01 00:00:00+00', NULL, 'ann@customer.test', NULL, NULL, 'Lions', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO builder.quotes VALUES (10, 120, 'USD', '0e3ff139-c386-42e5-b9a3-61e18417e08f', NULL, 'baseball', false, 12, '{"M": 12}', '{}', '{"team": "Lions"}', 'e0000000-0000-4000-8000-000000000013', 'c0000000-0000-4000-8000-000000000001', 'QT-2026-00013', 'rejected', NULL, NULL, NULL, NULL, '2026-11-28 20:59:43.416376+00', '2026-11-28 20:59:43.423761+00', 'c0000000-0000-4000-8000-0000000000ff', NULL, '2099-01-01 00:00:00+00', 'builder', 'c0000000-0000-4000-8000-000000000001', '2026-11-28 20:59:43.414971+00', '2026-11-28 20:59:43.440896+00', '2026-11-28 20:59:43.439937+00', NULL, NULL, NULL, 'ann@customer.test', NULL, NULL, 'Lions', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO builder.quotes VALUES (10, 140, 'USD', '07849f54-5a6c-4adc-9572-f5361a1706d1', NULL, 'baseball', false, 12, '{"M": 12}', '{}', '{"team": "Lions"}', 'e0000000-0000-4000-8000-000000000014', 'c0000000-0000-4000-8000-000000000001', 'QT-2026-00014', 'quoted', NULL, NULL, NULL, NULL, '2026-11-28 20:59:43.448977+00', '2026-11-28 20:59:43.465434+00', 'c0000000-0000-4000-8000-0000000000ff', NULL, '2099-01-01 00:00:00+00', 'builder', 'c0000000-0000-4000-8000-000000000001', '2026-11-28 20:59:43.447529+00', '2026-11-28 20:59:43.465434+00', NULL, NULL, NULL, NULL, 'ann@customer.test', NULL, NULL, 'Lions', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO builder.quotes VALUES (NULL, NULL, 'USD', '0b67e8ec-a664-4304-85dd-d515236dd04d', NULL, 'baseball', false, NULL, NULL, NULL, '{"team": "Lions"}', '5ea51ca7-1100-45fd-8c63-937588116917', 'c0000000-0000-4000-8000-000000000001', 'QT-2020-00001', 'ordered', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'csv_import', NULL, '2026-11-28 20:59:43.474465+00', '2026-11-28 20:59:43.474465+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);


--
-- Data for Name: refused_addresses; Type: TABLE DATA; Schema: builder; Owner: -
--

INSERT INTO builder.refused_addresses VALUES ('gone@customer.test', '2026-11-28 20:59:43.497737+00', '550 5.1.1');


--
-- Data for Name: release; Type: TABLE DATA; Schema: builder; Owner: -
--

INSERT INTO builder.release VALUES (true, 1);


--
-- Data for Name: settings; Type: TABLE DATA; Schema: builder; Owner: -
--

INSERT INTO builder.settings VALUES ('remind_before', '3 days');
INSERT INTO builder.settings VALUES ('remove_deleted_after', '90 days');


--
-- Data for Name: sweeps; Type: TABLE DATA; Schema: builder; Owner: -
--

INSERT INTO builder.sweeps VALUES (true, '2026-11-28 20:59:42.894417+00');


--
-- Data for Name: terms; Type: TABLE DATA; Schema: builder; Owner: -
--



--
-- Data for Name: unsubscribed_accounts; Type: TABLE DATA; Schema: builder; Owner: -
--

INSERT INTO builder.unsubscribed_accounts VALUES ('c0000000-0000-4000-8000-00000000000b', '2026-11-28 20:59:43.497411+00');


--
-- Data for Name: webhooks; Type: TABLE DATA; Schema: builder; Owner: -
--

INSERT INTO builder.webhooks VALUES ('e1c6ff71-de0c-45f4-abb8-98d58506d72c', 'https://erp.test/hook', '{whsec_bm90IGEgc2VjcmV0LCBhIHRlc3Qgb2YgdXBncmFkZXM=}', NULL, '2026-11-28 20:59:43.053668+00', NULL, NULL, NULL);
INSERT INTO builder.webhooks VALUES ('8c5977ee-72c5-4530-acc1-5486e530aed8', 'https://busy.test/hook', '{whsec_bm90IGEgc2VjcmV0LCBhIHRlc3Qgb2YgdXBncmFkZXM=}', '{quote.approved}', '2026-11-28 20:59:43.054632+00', NULL, NULL, '2026-11-01 00:00:00+00');
INSERT INTO builder.webhooks VALUES ('24c622c5-3ec2-4c29-81f5-a882cefe7a6b', 'https://gone.test/hook', '{whsec_bm90IGEgc2VjcmV0LCBhIHRlc3Qgb2YgdXBncmFkZXM=}', NULL, '2026-11-28 20:59:43.055182+00', '2026-11-01 00:00:00+00', '410', NULL);


--
-- Name: changes_id_seq; Type: SEQUENCE SET; Schema: builder; Owner: -
--

SELECT pg_catalog.setval('builder.changes_id_seq', 274, true);


--
-- Name: deliveries_id_seq; Type: SEQUENCE SET; Schema: builder; Owner: -
--

SELECT pg_catalog.setval('builder.deliveries_id_seq', 102, true);


--
-- Name: notifications_id_seq; Type: SEQUENCE SET; Schema: builder; Owner: -
--

SELECT pg_catalog.setval('builder.notifications_id_seq', 57, true);


--
-- Name: quote_events_id_seq; Type: SEQUENCE SET; Schema: builder; Owner: -
--

SELECT pg_catalog.setval('builder.quote_events_id_seq', 50, true);


--
-- Name: quote_offers_id_seq; Type: SEQUENCE SET; Schema: builder; Owner: -
--

SELECT pg_catalog.setval('builder.quote_offers_id_seq', 14, true);


--
-- Name: code code_pkey; Type: CONSTRAINT; Schema: builder; Owner: -
--

ALTER TABLE ONLY builder.code
    ADD CONSTRAINT code_pkey PRIMARY KEY (name);


--
-- Name: customer_quote_numbers customer_quote_numbers_pkey; Type: CONSTRAINT; Schema: builder; Owner: -
--

ALTER TABLE ONLY builder.customer_quote_numbers
    ADD CONSTRAINT customer_quote_numbers_pkey PRIMARY KEY (year, user_id);


--
-- Name: deliveries deliveries_message_id_key; Type: CONSTRAINT; Schema: builder; Owner: -
--

ALTER TABLE ONLY builder.deliveries
    ADD CONSTRAINT deliveries_message_id_key UNIQUE (message_id);


--
-- Name: deliveries deliveries_pkey; Type: CONSTRAINT; Schema: builder; Owner: -
--

ALTER TABLE ONLY builder.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (id);


--
-- Name: delivery_pace delivery_pace_pkey; Type: CONSTRAINT; Schema: builder; Owner: -
--

ALTER TABLE ONLY builder.delivery_pace
    ADD CONSTRAINT delivery_pace_pkey PRIMARY KEY (id);


--
-- Name: dismissals dismissals_pkey; Type: CONSTRAINT; Schema: builder; Owner: -
--

ALTER TABLE ONLY builder.dismissals
    ADD CONSTRAINT dismissals_pkey PRIMARY KEY (notification_id, user_id);


--
-- Name: event_messages event_messages_pkey; Type: CONSTRAINT; Schema: builder; Owner: -
--

ALTER TABLE ONLY builder.event_messages
    ADD CONSTRAINT event_messages_pkey PRIMARY KEY (event, language, audience);


--
-- Name: graphics graphics_code_key; Type: CONSTRAINT; Schema: builder; Owner: -
--

ALTER TABLE ONLY builder.graphics
    ADD CONSTRAINT graphics_code_key UNIQUE NULLS NOT DISTINCT (code, deleted_at);


--
-- Name: graphics graphics_pkey; Type: CONSTRAINT; Schema: builder; Owner: -
--

ALTER TABLE ONLY builder.graphics
    ADD CONSTRAINT graphics_pkey PRIMARY KEY (id);


--
-- Name: idempotency_keys idempotency_keys_pkey; Type: CONSTRAINT; Schema: builder; Owner: -
--

ALTER TABLE ONLY builder.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (caller, key);


--
-- Name: imported_quote_numbers imported_quote_numbers_pkey; Type: CONSTRAINT; Schema: builder; Owner: -
--

ALTER TABLE ONLY builder.imported_quote_numbers
    ADD CONSTRAINT imported_quote_numbers_pkey PRIMARY KEY (quote_number);


--
-- Name: deliveries kind_matches_the_other_columns; Type: CHECK CONSTRAINT; Schema: builder; Owner: -
--

ALTER TABLE builder.deliveries
    ADD CONSTRAINT kind_matches_the_other_columns CHECK (
CASE kind
    WHEN 'email'::text THEN (webhook_id IS NULL)
    WHEN 'staff_email'::text THEN ((notification_id IS NULL) AND (webhook_id IS NULL) AND (event_id IS NOT NULL))
    WHEN 'webhook'::text THEN ((notification_id IS NULL) AND (webhook_id IS NOT NULL) AND ((event_id IS NOT NULL) OR (quote_id IS NULL)))
    ELSE false
END) NOT VALID;


--
-- Name: migrations migrations_pkey; Type: CONSTRAINT; Schema: builder; Owner: -
--

ALTER TABLE ONLY builder.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (version);


--
-- Name: notifications notifications_pkey; Type: CONSTRAINT; Schema: builder; Owner: -
--

ALTER TABLE ONLY builder.notifications
    ADD CONSTRAINT notifications_pkey PRIMARY KEY (id);


--
-- Name: quote_events quote_events_pkey; Type: CONSTRAINT; Schema: builder; Owner: -
--

ALTER TABLE ONLY builder.quote_events
    ADD CONSTRAINT quote_events_pkey PRIMARY KEY (id);


--
-- Name: quote_numbers quote_numbers_pkey; Type: CONSTRAINT; Schema: builder; Owner: -
--

ALTER TABLE ONLY builder.quote_numbers
    ADD CONSTRAINT quote_numbers_pkey PRIMARY KEY (year);


--
-- Name: quote_offers quote_offers_pkey; Type: CONSTRAINT; Schema: builder; Owner: -
--

ALTER TABLE ONLY builder.quote_offers
    ADD CONSTRAINT quote_offers_pkey PRIMARY KEY (id);


--
-- Name: quote_offers quote_offers_quote_id_number_key; Type: CONSTRAINT; Schema: builder; Owner: -
--

ALTER TABLE ONLY builder.quote_offers
    ADD CONSTRAINT quote_offers_quote_id_number_key UNIQUE (quote_id, number);


--
-- Name: quote_transitions quote_transitions_pkey; Type: CONSTRAINT; Schema: builder; Owner: -
--

ALTER TABLE ONLY builder.quote_transitions
    ADD CONSTRAINT quote_transitions_pkey PRIMARY KEY (from_status, to_status);


--
-- Name: quotes quotes_pkey; Type: CONSTRAINT; Schema: builder; Owner: -
--

ALTER TABLE ONLY builder.quotes
    ADD CONSTRAINT quotes_pkey PRIMARY KEY (id);


--
-- Name: refused_addresses refused_addresses_pkey; Type: CONSTRAINT; Schema: builder; Owner: -
--

ALTER TABLE ONLY builder.refused_addresses
    ADD CONSTRAINT refused_addresses_pkey PRIMARY KEY (address);


--
-- Name: release release_pkey; Type: CONSTRAINT; Schema: builder; Owner: -
--

ALTER TABLE ONLY builder.release
    ADD CONSTRAINT release_pkey PRIMARY KEY (id);


--
-- Name: settings settings_pkey; Type: CONSTRAINT; Schema: builder; Owner: -
--

ALTER TABLE ONLY builder.settings
    ADD CONSTRAINT settings_pkey PRIMARY KEY (name);


--
-- Name: sweeps sweeps_pkey; Type: CONSTRAINT; Schema: builder; Owner: -
--

ALTER TABLE ONLY builder.sweeps
    ADD CONSTRAINT sweeps_pkey PRIMARY KEY (id);


--
-- Name: unsubscribed_accounts unsubscribed_accounts_pkey; Type: CONSTRAINT; Schema: builder; Owner: -
--

ALTER TABLE ONLY builder.unsubscribed_accounts
    ADD CONSTRAINT unsubscribed_accounts_pkey PRIMARY KEY (account_id);


--
-- Name: webhooks webhooks_pkey; Type: CONSTRAINT; Schema: builder; Owner: -
--

ALTER TABLE ONLY builder.webhooks
    ADD CONSTRAINT webhooks_pkey PRIMARY KEY (id);


--
-- Name: calls_by_time; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX calls_by_time ON builder.deliveries USING btree (webhook_id, attempted_at) WHERE ((webhook_id IS NOT NULL) AND (attempted_at IS NOT NULL));


--
-- Name: calls_in_flight; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX calls_in_flight ON builder.deliveries USING btree (webhook_id) WHERE ((webhook_id IS NOT NULL) AND (state = 'sending'::text));


--
-- Name: calls_in_turn; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX calls_in_turn ON builder.deliveries USING btree (webhook_id, attempts, turn, due_at, id) WHERE ((webhook_id IS NOT NULL) AND (due_at IS NOT NULL));


--
-- Name: calls_of_a_quote; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX calls_of_a_quote ON builder.deliveries USING btree (quote_id, webhook_id, turn) WHERE ((webhook_id IS NOT NULL) AND (state = 'waiting'::text) AND (attempts = 0));


--
-- Name: calls_that_are_due; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX calls_that_are_due ON builder.deliveries USING btree (webhook_id, due_at, id) WHERE ((webhook_id IS NOT NULL) AND (due_at > '-infinity'::timestamp with time zone));


--
-- Name: calls_without_an_event; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX calls_without_an_event ON builder.deliveries USING btree (id) WHERE ((webhook_id IS NOT NULL) AND (event_id IS NULL));


--
-- Name: changes_by_id; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX changes_by_id ON builder.changes USING btree (id);


--
-- Name: changes_by_transaction; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX changes_by_transaction ON builder.changes USING btree (xid, id);


--
-- Name: deleted_graphics; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX deleted_graphics ON builder.graphics USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);


--
-- Name: deleted_quotes; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX deleted_quotes ON builder.quotes USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);


--
-- Name: deliveries_of_a_notification; Type: INDEX; Schema: builder; Owner: -
--

CREATE UNIQUE INDEX deliveries_of_a_notification ON builder.deliveries USING btree (notification_id) WHERE (notification_id IS NOT NULL);


--
-- Name: deliveries_of_a_quote; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX deliveries_of_a_quote ON builder.deliveries USING btree (quote_id, id);


--
-- Name: deliveries_that_have_ended; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX deliveries_that_have_ended ON builder.deliveries USING btree (settled_at) WHERE (due_at IS NULL);


--
-- Name: deliveries_that_wait; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX deliveries_that_wait ON builder.deliveries USING btree (account_id, webhook_id, turn) WHERE (state = ANY (ARRAY['waiting'::text, 'sending'::text]));


--
-- Name: emails_by_age; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX emails_by_age ON builder.deliveries USING btree (queued_at) WHERE ((webhook_id IS NULL) AND (due_at IS NOT NULL));


--
-- Name: emails_by_time; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX emails_by_time ON builder.deliveries USING btree (attempted_at) WHERE ((webhook_id IS NULL) AND (attempted_at IS NOT NULL));


--
-- Name: emails_in_turn; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX emails_in_turn ON builder.deliveries USING btree (attempts, turn, due_at, id) WHERE ((webhook_id IS NULL) AND (due_at IS NOT NULL));


--
-- Name: emails_that_are_due; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX emails_that_are_due ON builder.deliveries USING btree (due_at, id) WHERE ((webhook_id IS NULL) AND (due_at > '-infinity'::timestamp with time zone));


--
-- Name: emails_to_an_account; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX emails_to_an_account ON builder.deliveries USING btree (account_id, attempted_at) WHERE ((webhook_id IS NULL) AND (attempted_at IS NOT NULL));


--
-- Name: graphics_by_category; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX graphics_by_category ON builder.graphics USING btree (category_id, sort_order, id);


--
-- Name: graphics_by_sort_order; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX graphics_by_sort_order ON builder.graphics USING btree (sort_order, id);


--
-- Name: graphics_by_tag; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX graphics_by_tag ON builder.graphics USING gin (tags);


--
-- Name: idempotency_keys_by_created_at; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX idempotency_keys_by_created_at ON builder.idempotency_keys USING btree (created_at);


--
-- Name: idempotency_keys_with_a_body; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX idempotency_keys_with_a_body ON builder.idempotency_keys USING btree (caller, created_at) WHERE has_body;


--
-- Name: notifications_by_time; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX notifications_by_time ON builder.notifications USING btree (created_at DESC, id);


--
-- Name: notifications_not_dismissed; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX notifications_not_dismissed ON builder.notifications USING btree (account_id, created_at DESC, id) WHERE (NOT dismissed);


--
-- Name: notifications_of_an_account; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX notifications_of_an_account ON builder.notifications USING btree (account_id, created_at DESC, id);


--
-- Name: notifications_that_can_expire; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX notifications_that_can_expire ON builder.notifications USING btree (expires_at) WHERE (expires_at IS NOT NULL);


--
-- Name: quote_events_by_time; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX quote_events_by_time ON builder.quote_events USING btree (created_at DESC, id);


--
-- Name: quote_events_made_for_others; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX quote_events_made_for_others ON builder.quote_events USING btree (created_by) WHERE (created_by <> account_id);


--
-- Name: quote_events_of_a_quote; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX quote_events_of_a_quote ON builder.quote_events USING btree (quote_id, id);


--
-- Name: quote_events_of_an_account; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX quote_events_of_an_account ON builder.quote_events USING btree (account_id, created_at DESC, id);


--
-- Name: quote_offers_of_a_quote; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX quote_offers_of_a_quote ON builder.quote_offers USING btree (quote_id, id);


--
-- Name: quote_offers_of_an_account; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX quote_offers_of_an_account ON builder.quote_offers USING btree (account_id, created_at DESC, id);


--
-- Name: quotes_by_contact_email; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX quotes_by_contact_email ON builder.quotes USING btree (contact_email) WHERE (contact_email IS NOT NULL);


--
-- Name: quotes_by_quote_number; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX quotes_by_quote_number ON builder.quotes USING btree (quote_number);


--
-- Name: quotes_by_status; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX quotes_by_status ON builder.quotes USING btree (status, created_at DESC, id) WHERE (deleted_at IS NULL);


--
-- Name: quotes_by_submission; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX quotes_by_submission ON builder.quotes USING btree (submitted_at DESC, id) WHERE (deleted_at IS NULL);


--
-- Name: quotes_by_time; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX quotes_by_time ON builder.quotes USING btree (created_at DESC, id) WHERE (deleted_at IS NULL);


--
-- Name: quotes_made_for_others; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX quotes_made_for_others ON builder.quotes USING btree (created_by) WHERE (created_by <> account_id);


--
-- Name: quotes_of_an_account_with_status; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX quotes_of_an_account_with_status ON builder.quotes USING btree (account_id, created_at DESC, id) INCLUDE (deleted_at, status);


--
-- Name: quotes_that_can_expire; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX quotes_that_can_expire ON builder.quotes USING btree (expires_at) WHERE ((status = ANY (ARRAY['draft'::text, 'submitted'::text, 'quoted'::text])) AND (deleted_at IS NULL) AND (expires_at IS NOT NULL));


--
-- Name: refused_addresses_by_time; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX refused_addresses_by_time ON builder.refused_addresses USING btree (refused_at);


--
-- Name: skipped_calls; Type: INDEX; Schema: builder; Owner: -
--

CREATE INDEX skipped_calls ON builder.deliveries USING btree (account_id, webhook_id) WHERE ((quote_id IS NULL) AND (webhook_id IS NOT NULL) AND (state = 'waiting'::text));


--
-- Name: notifications body_of_changed; Type: TRIGGER; Schema: builder; Owner: -
--

CREATE TRIGGER body_of_changed BEFORE UPDATE OF body ON builder.notifications FOR EACH ROW WHEN ((((new.body)::text IS DISTINCT FROM (old.body)::text) AND ((new.body)::text !~ '[^[:space:]]'::text))) EXECUTE FUNCTION builder.refuse_blank_body();


--
-- Name: notifications body_of_new; Type: TRIGGER; Schema: builder; Owner: -
--

CREATE TRIGGER body_of_new BEFORE INSERT ON builder.notifications FOR EACH ROW WHEN (((new.body)::text !~ '[^[:space:]]'::text)) EXECUTE FUNCTION builder.refuse_blank_body();


--
-- Name: quotes contact_corrected; Type: TRIGGER; Schema: builder; Owner: -
--

CREATE TRIGGER contact_corrected AFTER UPDATE OF contact_email ON builder.quotes FOR EACH ROW WHEN ((new.contact_email IS DISTINCT FROM old.contact_email)) EXECUTE FUNCTION builder.retry_waiting_emails();


--
-- Name: notifications delete_dismissals; Type: TRIGGER; Schema: builder; Owner: -
--

CREATE TRIGGER delete_dismissals AFTER DELETE ON builder.notifications REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION builder.delete_dismissals();


--
-- Name: quote_events deliver; Type: TRIGGER; Schema: builder; Owner: -
--

CREATE TRIGGER deliver BEFORE INSERT ON builder.quote_events FOR EACH ROW WHEN ((NOT builder.is_quiet())) EXECUTE FUNCTION builder.queue_messages();


--
-- Name: notifications deliver_changed; Type: TRIGGER; Schema: builder; Owner: -
--

CREATE TRIGGER deliver_changed AFTER UPDATE OF channel ON builder.notifications FOR EACH ROW WHEN (((new.channel = 'email'::builder.notification_channel) AND (old.channel <> 'email'::builder.notification_channel) AND (NOT builder.is_quiet()))) EXECUTE FUNCTION builder.queue_email();


--
-- Name: notifications deliver_new; Type: TRIGGER; Schema: builder; Owner: -
--

CREATE TRIGGER deliver_new AFTER INSERT ON builder.notifications FOR EACH ROW WHEN (((new.channel = 'email'::builder.notification_channel) AND (NOT new.dismissed) AND (NOT builder.is_quiet()))) EXECUTE FUNCTION builder.queue_email();


--
-- Name: notifications_of_customer dismiss; Type: TRIGGER; Schema: builder; Owner: -
--

CREATE TRIGGER dismiss INSTEAD OF UPDATE ON builder.notifications_of_customer FOR EACH ROW EXECUTE FUNCTION builder.dismiss_notification();


--
-- Name: quotes history; Type: TRIGGER; Schema: builder; Owner: -
--

CREATE TRIGGER history AFTER UPDATE ON builder.quotes FOR EACH ROW WHEN (((new.status <> 'draft'::text) OR (old.status <> 'draft'::text) OR (new.account_id <> old.account_id) OR ((new.deleted_at IS NULL) <> (old.deleted_at IS NULL)))) EXECUTE FUNCTION builder.record_history();


--
-- Name: quotes history_of_new_quotes; Type: TRIGGER; Schema: builder; Owner: -
--

CREATE TRIGGER history_of_new_quotes AFTER INSERT ON builder.quotes FOR EACH ROW WHEN ((new.status <> 'draft'::text)) EXECUTE FUNCTION builder.record_history();


--
-- Name: quotes imported_number; Type: TRIGGER; Schema: builder; Owner: -
--

CREATE TRIGGER imported_number AFTER INSERT ON builder.quotes FOR EACH ROW WHEN ((builder.caller_kind() <> 'customer'::text)) EXECUTE FUNCTION builder.record_imported_number();


--
-- Name: quotes imported_number_of_changed; Type: TRIGGER; Schema: builder; Owner: -
--

CREATE TRIGGER imported_number_of_changed AFTER UPDATE ON builder.quotes FOR EACH ROW WHEN ((((new.quote_number <> old.quote_number) OR ((new.status <> ALL (ARRAY['draft'::text, 'expired'::text])) AND (old.status = ANY (ARRAY['draft'::text, 'expired'::text])))) AND (builder.caller_kind() <> 'customer'::text))) EXECUTE FUNCTION builder.record_imported_number();


--
-- Name: quotes quote_restored; Type: TRIGGER; Schema: builder; Owner: -
--

CREATE TRIGGER quote_restored AFTER UPDATE OF deleted_at ON builder.quotes FOR EACH ROW WHEN (((new.deleted_at IS NULL) AND (old.deleted_at IS NOT NULL))) EXECUTE FUNCTION builder.retry_waiting_emails();


--
-- Name: dismissals record_deletes; Type: TRIGGER; Schema: builder; Owner: -
--

CREATE TRIGGER record_deletes AFTER DELETE ON builder.dismissals REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION builder.record_dismissals();


--
-- Name: notifications record_deletes; Type: TRIGGER; Schema: builder; Owner: -
--

CREATE TRIGGER record_deletes AFTER DELETE ON builder.notifications REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION builder.record_changes();


--
-- Name: quote_events record_deletes; Type: TRIGGER; Schema: builder; Owner: -
--

CREATE TRIGGER record_deletes AFTER DELETE ON builder.quote_events REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION builder.record_changes();


--
-- Name: quotes record_deletes; Type: TRIGGER; Schema: builder; Owner: -
--

CREATE TRIGGER record_deletes AFTER DELETE ON builder.quotes REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION builder.record_changes('deleted_at');


--
-- Name: dismissals record_inserts; Type: TRIGGER; Schema: builder; Owner: -
--

CREATE TRIGGER record_inserts AFTER INSERT ON builder.dismissals REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION builder.record_dismissals();


--
-- Name: notifications record_inserts; Type: TRIGGER; Schema: builder; Owner: -
--

CREATE TRIGGER record_inserts AFTER INSERT ON builder.notifications REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION builder.record_changes();


--
-- Name: quote_events record_inserts; Type: TRIGGER; Schema: builder; Owner: -
--

CREATE TRIGGER record_inserts AFTER INSERT ON builder.quote_events REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION builder.record_changes();


--
-- Name: quotes record_inserts; Type: TRIGGER; Schema: builder; Owner: -
--

CREATE TRIGGER record_inserts AFTER INSERT ON builder.quotes REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION builder.record_changes('deleted_at');


--
-- Name: notifications record_updates; Type: TRIGGER; Schema: builder; Owner: -
--

CREATE TRIGGER record_updates AFTER UPDATE ON builder.notifications REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION builder.record_changes();


--
-- Name: quote_events record_updates; Type: TRIGGER; Schema: builder; Owner: -
--

CREATE TRIGGER record_updates AFTER UPDATE ON builder.quote_events REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION builder.record_changes();


--
-- Name: quotes record_updates; Type: TRIGGER; Schema: builder; Owner: -
--

CREATE TRIGGER record_updates AFTER UPDATE ON builder.quotes REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION builder.record_changes('deleted_at');


--
-- Name: quotes rules; Type: TRIGGER; Schema: builder; Owner: -
--

CREATE TRIGGER rules BEFORE INSERT OR UPDATE ON builder.quotes FOR EACH ROW WHEN (((current_setting('builder.correction'::text, true) IS DISTINCT FROM 'on'::text) OR (NOT builder.is_correction()))) EXECUTE FUNCTION builder.apply_quote_rules();


--
-- Name: notifications skip_dismissed; Type: TRIGGER; Schema: builder; Owner: -
--

CREATE TRIGGER skip_dismissed AFTER UPDATE OF dismissed ON builder.notifications FOR EACH ROW WHEN ((new.dismissed AND (NOT old.dismissed))) EXECUTE FUNCTION builder.skip_dismissed();


--
-- Name: notifications skip_supplied_id; Type: TRIGGER; Schema: builder; Owner: -
--

CREATE TRIGGER skip_supplied_id BEFORE INSERT ON builder.notifications FOR EACH ROW EXECUTE FUNCTION builder.skip_supplied_notification_id();


--
-- Name: graphics stamp; Type: TRIGGER; Schema: builder; Owner: -
--

CREATE TRIGGER stamp BEFORE INSERT OR UPDATE ON builder.graphics FOR EACH ROW EXECUTE FUNCTION builder.stamp_graphic();


--
-- Name: quotes valid_values; Type: TRIGGER; Schema: builder; Owner: -
--

CREATE TRIGGER valid_values BEFORE INSERT OR UPDATE OF customer_notes, contact_name, contact_email, contact_phone, company, shipping_address, billing_address, delivery_method, preview_front_url, preview_back_url, avatar_preview, tool_2d, techpack_file, product_id, design_id, sport, rush_order, roster_count, size_breakdown, colors, customization, currency, account_id, quote_number, source, created_by, event_date, internal_notes, quoted_by ON builder.quotes FOR EACH ROW EXECUTE FUNCTION builder.check_values();


--
-- Name: deliveries deliveries_webhook_id_fkey; Type: FK CONSTRAINT; Schema: builder; Owner: -
--

ALTER TABLE ONLY builder.deliveries
    ADD CONSTRAINT deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES builder.webhooks(id) ON DELETE CASCADE;


--
-- Name: quote_events quote_events_quote_id_fkey; Type: FK CONSTRAINT; Schema: builder; Owner: -
--

ALTER TABLE ONLY builder.quote_events
    ADD CONSTRAINT quote_events_quote_id_fkey FOREIGN KEY (quote_id) REFERENCES builder.quotes(id) ON DELETE CASCADE;


--
-- Name: quote_offers quote_offers_quote_id_fkey; Type: FK CONSTRAINT; Schema: builder; Owner: -
--

ALTER TABLE ONLY builder.quote_offers
    ADD CONSTRAINT quote_offers_quote_id_fkey FOREIGN KEY (quote_id) REFERENCES builder.quotes(id) ON DELETE CASCADE;


--
-- Name: changes; Type: ROW SECURITY; Schema: builder; Owner: -
--

ALTER TABLE builder.changes ENABLE ROW LEVEL SECURITY;

--
-- Name: code; Type: ROW SECURITY; Schema: builder; Owner: -
--

ALTER TABLE builder.code ENABLE ROW LEVEL SECURITY;

--
-- Name: customer_quote_numbers; Type: ROW SECURITY; Schema: builder; Owner: -
--

ALTER TABLE builder.customer_quote_numbers ENABLE ROW LEVEL SECURITY;

--
-- Name: notifications customers_delete_their_notifications; Type: POLICY; Schema: builder; Owner: -
--

CREATE POLICY customers_delete_their_notifications ON builder.notifications FOR DELETE TO builder_customer USING ((account_id = ANY (( SELECT builder.caller_account_ids() AS caller_account_ids)::uuid[])));


--
-- Name: dismissals customers_dismiss_for_themselves; Type: POLICY; Schema: builder; Owner: -
--

CREATE POLICY customers_dismiss_for_themselves ON builder.dismissals TO builder_customer USING ((user_id = ( SELECT builder.caller_id() AS caller_id)));


--
-- Name: notifications customers_dismiss_their_notifications; Type: POLICY; Schema: builder; Owner: -
--

CREATE POLICY customers_dismiss_their_notifications ON builder.notifications FOR UPDATE TO builder_customer USING ((account_id = ANY (( SELECT builder.caller_account_ids() AS caller_account_ids)::uuid[]))) WITH CHECK ((account_id = ANY (( SELECT builder.caller_account_ids() AS caller_account_ids)::uuid[])));


--
-- Name: changes customers_read_changes_of_their_accounts_and_of_everyone; Type: POLICY; Schema: builder; Owner: -
--

CREATE POLICY customers_read_changes_of_their_accounts_and_of_everyone ON builder.changes FOR SELECT TO builder_customer USING (((account_id = ANY (( SELECT (builder.caller_account_ids() || builder.everyone()))::uuid[])) AND ((user_id IS NULL) OR (user_id = ( SELECT builder.caller_id() AS caller_id)))));


--
-- Name: quote_events customers_read_quote_events_of_their_accounts; Type: POLICY; Schema: builder; Owner: -
--

CREATE POLICY customers_read_quote_events_of_their_accounts ON builder.quote_events FOR SELECT TO builder_customer USING ((account_id = ANY (( SELECT builder.caller_account_ids() AS caller_account_ids)::uuid[])));


--
-- Name: quote_offers customers_read_quote_offers_of_their_accounts; Type: POLICY; Schema: builder; Owner: -
--

CREATE POLICY customers_read_quote_offers_of_their_accounts ON builder.quote_offers FOR SELECT TO builder_customer USING ((account_id = ANY (( SELECT builder.caller_account_ids() AS caller_account_ids)::uuid[])));


--
-- Name: notifications customers_read_their_and_system_notifications; Type: POLICY; Schema: builder; Owner: -
--

CREATE POLICY customers_read_their_and_system_notifications ON builder.notifications FOR SELECT TO builder_customer USING ((account_id = ANY (( SELECT (builder.caller_account_ids() || builder.everyone()))::uuid[])));


--
-- Name: quotes customers_use_quotes_of_their_accounts; Type: POLICY; Schema: builder; Owner: -
--

CREATE POLICY customers_use_quotes_of_their_accounts ON builder.quotes TO builder_customer USING ((account_id = ANY (( SELECT builder.caller_account_ids() AS caller_account_ids)::uuid[]))) WITH CHECK ((account_id = ANY (( SELECT builder.caller_account_ids() AS caller_account_ids)::uuid[])));


--
-- Name: deliveries; Type: ROW SECURITY; Schema: builder; Owner: -
--

ALTER TABLE builder.deliveries ENABLE ROW LEVEL SECURITY;

--
-- Name: delivery_pace; Type: ROW SECURITY; Schema: builder; Owner: -
--

ALTER TABLE builder.delivery_pace ENABLE ROW LEVEL SECURITY;

--
-- Name: design; Type: ROW SECURITY; Schema: builder; Owner: -
--

ALTER TABLE builder.design ENABLE ROW LEVEL SECURITY;

--
-- Name: dismissals; Type: ROW SECURITY; Schema: builder; Owner: -
--

ALTER TABLE builder.dismissals ENABLE ROW LEVEL SECURITY;

--
-- Name: event_messages; Type: ROW SECURITY; Schema: builder; Owner: -
--

ALTER TABLE builder.event_messages ENABLE ROW LEVEL SECURITY;

--
-- Name: graphics everyone_reads_active_graphics; Type: POLICY; Schema: builder; Owner: -
--

CREATE POLICY everyone_reads_active_graphics ON builder.graphics FOR SELECT TO builder_anon, builder_customer USING ((is_active AND (deleted_at IS NULL)));


--
-- Name: graphics; Type: ROW SECURITY; Schema: builder; Owner: -
--

ALTER TABLE builder.graphics ENABLE ROW LEVEL SECURITY;

--
-- Name: idempotency_keys; Type: ROW SECURITY; Schema: builder; Owner: -
--

ALTER TABLE builder.idempotency_keys ENABLE ROW LEVEL SECURITY;

--
-- Name: imported_quote_numbers; Type: ROW SECURITY; Schema: builder; Owner: -
--

ALTER TABLE builder.imported_quote_numbers ENABLE ROW LEVEL SECURITY;

--
-- Name: notifications; Type: ROW SECURITY; Schema: builder; Owner: -
--

ALTER TABLE builder.notifications ENABLE ROW LEVEL SECURITY;

--
-- Name: price; Type: ROW SECURITY; Schema: builder; Owner: -
--

ALTER TABLE builder.price ENABLE ROW LEVEL SECURITY;

--
-- Name: quote_events; Type: ROW SECURITY; Schema: builder; Owner: -
--

ALTER TABLE builder.quote_events ENABLE ROW LEVEL SECURITY;

--
-- Name: quote_numbers; Type: ROW SECURITY; Schema: builder; Owner: -
--

ALTER TABLE builder.quote_numbers ENABLE ROW LEVEL SECURITY;

--
-- Name: quote_offers; Type: ROW SECURITY; Schema: builder; Owner: -
--

ALTER TABLE builder.quote_offers ENABLE ROW LEVEL SECURITY;

--
-- Name: quotes; Type: ROW SECURITY; Schema: builder; Owner: -
--

ALTER TABLE builder.quotes ENABLE ROW LEVEL SECURITY;

--
-- Name: deliveries readers_read_all_deliveries; Type: POLICY; Schema: builder; Owner: -
--

CREATE POLICY readers_read_all_deliveries ON builder.deliveries FOR SELECT TO builder_reader USING (true);


--
-- Name: graphics readers_read_all_graphics; Type: POLICY; Schema: builder; Owner: -
--

CREATE POLICY readers_read_all_graphics ON builder.graphics FOR SELECT TO builder_reader USING (true);


--
-- Name: notifications readers_read_all_notifications; Type: POLICY; Schema: builder; Owner: -
--

CREATE POLICY readers_read_all_notifications ON builder.notifications FOR SELECT TO builder_reader USING (true);


--
-- Name: quote_events readers_read_all_quote_events; Type: POLICY; Schema: builder; Owner: -
--

CREATE POLICY readers_read_all_quote_events ON builder.quote_events FOR SELECT TO builder_reader USING (true);


--
-- Name: quote_offers readers_read_all_quote_offers; Type: POLICY; Schema: builder; Owner: -
--

CREATE POLICY readers_read_all_quote_offers ON builder.quote_offers FOR SELECT TO builder_reader USING (true);


--
-- Name: quotes readers_read_all_quotes; Type: POLICY; Schema: builder; Owner: -
--

CREATE POLICY readers_read_all_quotes ON builder.quotes FOR SELECT TO builder_reader USING (true);


--
-- Name: refused_addresses; Type: ROW SECURITY; Schema: builder; Owner: -
--

ALTER TABLE builder.refused_addresses ENABLE ROW LEVEL SECURITY;

--
-- Name: release; Type: ROW SECURITY; Schema: builder; Owner: -
--

ALTER TABLE builder.release ENABLE ROW LEVEL SECURITY;

--
-- Name: settings; Type: ROW SECURITY; Schema: builder; Owner: -
--

ALTER TABLE builder.settings ENABLE ROW LEVEL SECURITY;

--
-- Name: graphics staff_do_everything; Type: POLICY; Schema: builder; Owner: -
--

CREATE POLICY staff_do_everything ON builder.graphics TO builder_staff USING (true) WITH CHECK (true);


--
-- Name: notifications staff_do_everything; Type: POLICY; Schema: builder; Owner: -
--

CREATE POLICY staff_do_everything ON builder.notifications TO builder_staff USING (true) WITH CHECK (true);


--
-- Name: quotes staff_do_everything; Type: POLICY; Schema: builder; Owner: -
--

CREATE POLICY staff_do_everything ON builder.quotes TO builder_staff USING (true) WITH CHECK (true);


--
-- Name: changes staff_read_all_changes; Type: POLICY; Schema: builder; Owner: -
--

CREATE POLICY staff_read_all_changes ON builder.changes FOR SELECT TO builder_staff USING (true);


--
-- Name: deliveries staff_read_all_deliveries; Type: POLICY; Schema: builder; Owner: -
--

CREATE POLICY staff_read_all_deliveries ON builder.deliveries FOR SELECT TO builder_staff USING (true);


--
-- Name: quote_events staff_read_all_quote_events; Type: POLICY; Schema: builder; Owner: -
--

CREATE POLICY staff_read_all_quote_events ON builder.quote_events FOR SELECT TO builder_staff USING (true);


--
-- Name: quote_offers staff_read_all_quote_offers; Type: POLICY; Schema: builder; Owner: -
--

CREATE POLICY staff_read_all_quote_offers ON builder.quote_offers FOR SELECT TO builder_staff USING (true);


--
-- Name: sweeps; Type: ROW SECURITY; Schema: builder; Owner: -
--

ALTER TABLE builder.sweeps ENABLE ROW LEVEL SECURITY;

--
-- Name: terms; Type: ROW SECURITY; Schema: builder; Owner: -
--

ALTER TABLE builder.terms ENABLE ROW LEVEL SECURITY;

--
-- Name: unsubscribed_accounts; Type: ROW SECURITY; Schema: builder; Owner: -
--

ALTER TABLE builder.unsubscribed_accounts ENABLE ROW LEVEL SECURITY;

--
-- Name: webhooks; Type: ROW SECURITY; Schema: builder; Owner: -
--

ALTER TABLE builder.webhooks ENABLE ROW LEVEL SECURITY;

--
-- Name: SCHEMA builder; Type: ACL; Schema: -; Owner: -
--

GRANT USAGE ON SCHEMA builder TO builder_anon;
GRANT USAGE ON SCHEMA builder TO builder_customer;
GRANT USAGE ON SCHEMA builder TO builder_staff;
GRANT USAGE ON SCHEMA builder TO builder_reader;
GRANT USAGE ON SCHEMA builder TO builder_live;
GRANT USAGE ON SCHEMA builder TO builder_sweeper;
GRANT USAGE ON SCHEMA builder TO builder_deliverer;


--
-- Name: TYPE notification_channel; Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON TYPE builder.notification_channel FROM PUBLIC;


--
-- Name: TYPE notification_type; Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON TYPE builder.notification_type FROM PUBLIC;


--
-- Name: FUNCTION account_ids(); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.account_ids() FROM PUBLIC;
GRANT ALL ON FUNCTION builder.account_ids() TO builder_anon;
GRANT ALL ON FUNCTION builder.account_ids() TO builder_customer;
GRANT ALL ON FUNCTION builder.account_ids() TO builder_staff;


--
-- Name: FUNCTION account_mentions(account uuid, email text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.account_mentions(account uuid, email text) FROM PUBLIC;


--
-- Name: FUNCTION account_rows(account uuid); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.account_rows(account uuid) FROM PUBLIC;


--
-- Name: FUNCTION accounts_of_callers(callers json); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.accounts_of_callers(callers json) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.accounts_of_callers(callers json) TO builder_customer;
GRANT ALL ON FUNCTION builder.accounts_of_callers(callers json) TO builder_staff;


--
-- Name: FUNCTION announce_erasure(account uuid); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.announce_erasure(account uuid) FROM PUBLIC;


--
-- Name: FUNCTION announce_expiring_quotes(batch integer); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.announce_expiring_quotes(batch integer) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.announce_expiring_quotes(batch integer) TO builder_sweeper;


--
-- Name: FUNCTION anonymize_orders(account uuid, batch integer); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.anonymize_orders(account uuid, batch integer) FROM PUBLIC;


--
-- Name: FUNCTION anonymous_design(customization jsonb); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.anonymous_design(customization jsonb) FROM PUBLIC;


--
-- Name: FUNCTION apply_quote_rules(); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.apply_quote_rules() FROM PUBLIC;


--
-- Name: FUNCTION are_tags(value text[]); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.are_tags(value text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.are_tags(value text[]) TO builder_staff;


--
-- Name: FUNCTION body_has(column_name text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.body_has(column_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.body_has(column_name text) TO builder_customer;
GRANT ALL ON FUNCTION builder.body_has(column_name text) TO builder_staff;


--
-- Name: FUNCTION body_names(column_name text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.body_names(column_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.body_names(column_name text) TO builder_customer;
GRANT ALL ON FUNCTION builder.body_names(column_name text) TO builder_staff;


--
-- Name: FUNCTION caller_account_ids(); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.caller_account_ids() FROM PUBLIC;
GRANT ALL ON FUNCTION builder.caller_account_ids() TO builder_anon;
GRANT ALL ON FUNCTION builder.caller_account_ids() TO builder_customer;
GRANT ALL ON FUNCTION builder.caller_account_ids() TO builder_staff;


--
-- Name: FUNCTION caller_dismissed(notification bigint); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.caller_dismissed(notification bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.caller_dismissed(notification bigint) TO builder_customer;
GRANT ALL ON FUNCTION builder.caller_dismissed(notification bigint) TO builder_staff;


--
-- Name: FUNCTION caller_id(); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.caller_id() FROM PUBLIC;
GRANT ALL ON FUNCTION builder.caller_id() TO builder_anon;
GRANT ALL ON FUNCTION builder.caller_id() TO builder_customer;
GRANT ALL ON FUNCTION builder.caller_id() TO builder_staff;


--
-- Name: FUNCTION caller_kind(); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.caller_kind() FROM PUBLIC;
GRANT ALL ON FUNCTION builder.caller_kind() TO builder_anon;
GRANT ALL ON FUNCTION builder.caller_kind() TO builder_customer;
GRANT ALL ON FUNCTION builder.caller_kind() TO builder_staff;


--
-- Name: TABLE changes; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT ON TABLE builder.changes TO builder_customer;
GRANT SELECT ON TABLE builder.changes TO builder_staff;


--
-- Name: FUNCTION change_json(one builder.changes); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.change_json(one builder.changes) FROM PUBLIC;


--
-- Name: FUNCTION is_no_script(value text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.is_no_script(value text) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.is_no_script(value text) TO builder_customer;
GRANT ALL ON FUNCTION builder.is_no_script(value text) TO builder_staff;


--
-- Name: FUNCTION is_price(value numeric); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.is_price(value numeric) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.is_price(value numeric) TO builder_customer;
GRANT ALL ON FUNCTION builder.is_price(value numeric) TO builder_staff;


--
-- Name: FUNCTION is_url(value text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.is_url(value text) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.is_url(value text) TO builder_customer;
GRANT ALL ON FUNCTION builder.is_url(value text) TO builder_staff;


--
-- Name: TABLE quotes; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT,INSERT,DELETE ON TABLE builder.quotes TO builder_staff;
GRANT SELECT ON TABLE builder.quotes TO builder_reader;


--
-- Name: COLUMN quotes.xmax; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(xmax) ON TABLE builder.quotes TO builder_customer;


--
-- Name: COLUMN quotes.xmin; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(xmin) ON TABLE builder.quotes TO builder_customer;


--
-- Name: COLUMN quotes.unit_price; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(unit_price) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(unit_price) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.total_price; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(total_price) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(total_price) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.currency; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(currency),INSERT(currency),UPDATE(currency) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(currency) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.product_id; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(product_id),INSERT(product_id),UPDATE(product_id) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(product_id) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.design_id; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(design_id),INSERT(design_id),UPDATE(design_id) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(design_id) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.sport; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(sport),INSERT(sport),UPDATE(sport) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(sport) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.rush_order; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(rush_order),INSERT(rush_order),UPDATE(rush_order) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(rush_order) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.roster_count; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(roster_count),INSERT(roster_count),UPDATE(roster_count) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(roster_count) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.size_breakdown; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(size_breakdown),INSERT(size_breakdown),UPDATE(size_breakdown) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(size_breakdown) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.colors; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(colors),INSERT(colors),UPDATE(colors) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(colors) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.customization; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(customization),INSERT(customization),UPDATE(customization) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(customization) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.id; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(id),INSERT(id) ON TABLE builder.quotes TO builder_customer;


--
-- Name: COLUMN quotes.account_id; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(account_id),INSERT(account_id),UPDATE(account_id) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(account_id) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.quote_number; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(quote_number),INSERT(quote_number),UPDATE(quote_number) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(quote_number) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.status; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(status),INSERT(status),UPDATE(status) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(status) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.preview_front_url; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(preview_front_url),INSERT(preview_front_url),UPDATE(preview_front_url) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(preview_front_url) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.preview_back_url; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(preview_back_url),INSERT(preview_back_url),UPDATE(preview_back_url) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(preview_back_url) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.customer_notes; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(customer_notes),INSERT(customer_notes),UPDATE(customer_notes) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(customer_notes) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.internal_notes; Type: ACL; Schema: builder; Owner: -
--

GRANT UPDATE(internal_notes) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.submitted_at; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(submitted_at),INSERT(submitted_at),UPDATE(submitted_at) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(submitted_at) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.quoted_at; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(quoted_at) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(quoted_at) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.quoted_by; Type: ACL; Schema: builder; Owner: -
--

GRANT UPDATE(quoted_by) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.approved_at; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(approved_at),INSERT(approved_at),UPDATE(approved_at) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(approved_at) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.expires_at; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(expires_at) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(expires_at) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.source; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(source),INSERT(source),UPDATE(source) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(source) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.created_by; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(created_by),INSERT(created_by),UPDATE(created_by) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(created_by) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.created_at; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(created_at),INSERT(created_at),UPDATE(created_at) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(created_at) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.updated_at; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(updated_at),INSERT(updated_at),UPDATE(updated_at) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(updated_at) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.deleted_at; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(deleted_at),UPDATE(deleted_at) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(deleted_at) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.fulfillment_status; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(fulfillment_status) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(fulfillment_status) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.estimated_delivery_at; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(estimated_delivery_at) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(estimated_delivery_at) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.contact_name; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(contact_name),INSERT(contact_name),UPDATE(contact_name) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(contact_name) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.contact_email; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(contact_email),INSERT(contact_email),UPDATE(contact_email) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(contact_email) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.contact_phone; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(contact_phone),INSERT(contact_phone),UPDATE(contact_phone) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(contact_phone) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.shipping_address; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(shipping_address),INSERT(shipping_address),UPDATE(shipping_address) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(shipping_address) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.company; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(company),INSERT(company),UPDATE(company) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(company) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.event_date; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(event_date),INSERT(event_date),UPDATE(event_date) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(event_date) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.delivery_method; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(delivery_method),INSERT(delivery_method),UPDATE(delivery_method) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(delivery_method) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.billing_address; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(billing_address),INSERT(billing_address),UPDATE(billing_address) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(billing_address) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.tool_2d; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(tool_2d),INSERT(tool_2d),UPDATE(tool_2d) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(tool_2d) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.techpack_file; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(techpack_file),INSERT(techpack_file),UPDATE(techpack_file) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(techpack_file) ON TABLE builder.quotes TO builder_staff;


--
-- Name: COLUMN quotes.avatar_preview; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(avatar_preview),INSERT(avatar_preview),UPDATE(avatar_preview) ON TABLE builder.quotes TO builder_customer;
GRANT UPDATE(avatar_preview) ON TABLE builder.quotes TO builder_staff;


--
-- Name: FUNCTION changed_column(old builder.quotes, new builder.quotes, list text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.changed_column(old builder.quotes, new builder.quotes, list text) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.changed_column(old builder.quotes, new builder.quotes, list text) TO builder_customer;
GRANT ALL ON FUNCTION builder.changed_column(old builder.quotes, new builder.quotes, list text) TO builder_staff;


--
-- Name: FUNCTION changed_term(old builder.quotes, new builder.quotes); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.changed_term(old builder.quotes, new builder.quotes) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.changed_term(old builder.quotes, new builder.quotes) TO builder_customer;
GRANT ALL ON FUNCTION builder.changed_term(old builder.quotes, new builder.quotes) TO builder_staff;


--
-- Name: FUNCTION changes_since(cursor text, most integer, OUT next text, OUT gap boolean, OUT partial boolean, OUT lines json); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.changes_since(cursor text, most integer, OUT next text, OUT gap boolean, OUT partial boolean, OUT lines json) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.changes_since(cursor text, most integer, OUT next text, OUT gap boolean, OUT partial boolean, OUT lines json) TO builder_live;


--
-- Name: FUNCTION check_account(account uuid); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.check_account(account uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.check_account(account uuid) TO builder_customer;


--
-- Name: FUNCTION check_approval(old builder.quotes, new builder.quotes); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.check_approval(old builder.quotes, new builder.quotes) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.check_approval(old builder.quotes, new builder.quotes) TO builder_customer;
GRANT ALL ON FUNCTION builder.check_approval(old builder.quotes, new builder.quotes) TO builder_staff;


--
-- Name: FUNCTION check_contact(old builder.quotes, new builder.quotes, moved boolean); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.check_contact(old builder.quotes, new builder.quotes, moved boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.check_contact(old builder.quotes, new builder.quotes, moved boolean) TO builder_customer;
GRANT ALL ON FUNCTION builder.check_contact(old builder.quotes, new builder.quotes, moved boolean) TO builder_staff;


--
-- Name: FUNCTION check_deletion(old builder.quotes, new builder.quotes); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.check_deletion(old builder.quotes, new builder.quotes) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.check_deletion(old builder.quotes, new builder.quotes) TO builder_customer;


--
-- Name: COLUMN deliveries.xmax; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(xmax) ON TABLE builder.deliveries TO builder_staff;
GRANT SELECT(xmax) ON TABLE builder.deliveries TO builder_reader;


--
-- Name: COLUMN deliveries.xmin; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(xmin) ON TABLE builder.deliveries TO builder_staff;
GRANT SELECT(xmin) ON TABLE builder.deliveries TO builder_reader;


--
-- Name: COLUMN deliveries.id; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(id) ON TABLE builder.deliveries TO builder_staff;
GRANT SELECT(id) ON TABLE builder.deliveries TO builder_reader;


--
-- Name: COLUMN deliveries.created_at; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(created_at) ON TABLE builder.deliveries TO builder_staff;
GRANT SELECT(created_at) ON TABLE builder.deliveries TO builder_reader;


--
-- Name: COLUMN deliveries.due_at; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(due_at) ON TABLE builder.deliveries TO builder_staff;
GRANT SELECT(due_at) ON TABLE builder.deliveries TO builder_reader;


--
-- Name: COLUMN deliveries.attempts; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(attempts) ON TABLE builder.deliveries TO builder_staff;
GRANT SELECT(attempts) ON TABLE builder.deliveries TO builder_reader;


--
-- Name: COLUMN deliveries.state; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(state) ON TABLE builder.deliveries TO builder_staff;
GRANT SELECT(state) ON TABLE builder.deliveries TO builder_reader;


--
-- Name: COLUMN deliveries.reason; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(reason) ON TABLE builder.deliveries TO builder_staff;
GRANT SELECT(reason) ON TABLE builder.deliveries TO builder_reader;


--
-- Name: COLUMN deliveries.settled_at; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(settled_at) ON TABLE builder.deliveries TO builder_staff;
GRANT SELECT(settled_at) ON TABLE builder.deliveries TO builder_reader;


--
-- Name: COLUMN deliveries.account_id; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(account_id) ON TABLE builder.deliveries TO builder_staff;
GRANT SELECT(account_id) ON TABLE builder.deliveries TO builder_reader;


--
-- Name: COLUMN deliveries.notification_id; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(notification_id) ON TABLE builder.deliveries TO builder_staff;
GRANT SELECT(notification_id) ON TABLE builder.deliveries TO builder_reader;


--
-- Name: COLUMN deliveries.webhook_id; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(webhook_id) ON TABLE builder.deliveries TO builder_staff;
GRANT SELECT(webhook_id) ON TABLE builder.deliveries TO builder_reader;


--
-- Name: COLUMN deliveries.event_id; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(event_id) ON TABLE builder.deliveries TO builder_staff;
GRANT SELECT(event_id) ON TABLE builder.deliveries TO builder_reader;


--
-- Name: COLUMN deliveries.attempted_at; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(attempted_at) ON TABLE builder.deliveries TO builder_staff;
GRANT SELECT(attempted_at) ON TABLE builder.deliveries TO builder_reader;


--
-- Name: COLUMN deliveries.quote_id; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(quote_id) ON TABLE builder.deliveries TO builder_staff;
GRANT SELECT(quote_id) ON TABLE builder.deliveries TO builder_reader;


--
-- Name: COLUMN deliveries.kind; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(kind) ON TABLE builder.deliveries TO builder_staff;
GRANT SELECT(kind) ON TABLE builder.deliveries TO builder_reader;


--
-- Name: COLUMN deliveries.recipient; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(recipient) ON TABLE builder.deliveries TO builder_staff;
GRANT SELECT(recipient) ON TABLE builder.deliveries TO builder_reader;


--
-- Name: COLUMN deliveries.message_id; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(message_id) ON TABLE builder.deliveries TO builder_staff;
GRANT SELECT(message_id) ON TABLE builder.deliveries TO builder_reader;


--
-- Name: FUNCTION check_email(delivery builder.deliveries, address text, has_text boolean, left_today bigint, OUT state text, OUT reason text, OUT until timestamp with time zone); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.check_email(delivery builder.deliveries, address text, has_text boolean, left_today bigint, OUT state text, OUT reason text, OUT until timestamp with time zone) FROM PUBLIC;


--
-- Name: FUNCTION check_fields(old builder.quotes, new builder.quotes); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.check_fields(old builder.quotes, new builder.quotes) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.check_fields(old builder.quotes, new builder.quotes) TO builder_customer;


--
-- Name: FUNCTION check_move(old builder.quotes, new builder.quotes); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.check_move(old builder.quotes, new builder.quotes) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.check_move(old builder.quotes, new builder.quotes) TO builder_customer;


--
-- Name: FUNCTION check_offer(old builder.quotes, new builder.quotes); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.check_offer(old builder.quotes, new builder.quotes) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.check_offer(old builder.quotes, new builder.quotes) TO builder_customer;
GRANT ALL ON FUNCTION builder.check_offer(old builder.quotes, new builder.quotes) TO builder_staff;


--
-- Name: FUNCTION check_price(old builder.quotes, new builder.quotes); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.check_price(old builder.quotes, new builder.quotes) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.check_price(old builder.quotes, new builder.quotes) TO builder_staff;


--
-- Name: FUNCTION check_terms(old builder.quotes, new builder.quotes); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.check_terms(old builder.quotes, new builder.quotes) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.check_terms(old builder.quotes, new builder.quotes) TO builder_customer;
GRANT ALL ON FUNCTION builder.check_terms(old builder.quotes, new builder.quotes) TO builder_staff;


--
-- Name: FUNCTION check_values(); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.check_values() FROM PUBLIC;


--
-- Name: FUNCTION claim_calls(most integer, only_loopback boolean); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.claim_calls(most integer, only_loopback boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.claim_calls(most integer, only_loopback boolean) TO builder_deliverer;


--
-- Name: FUNCTION claim_emails(mails integer, a_day integer, staff text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.claim_emails(mails integer, a_day integer, staff text) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.claim_emails(mails integer, a_day integer, staff text) TO builder_deliverer;


--
-- Name: FUNCTION claim_key(given_key text, given_fingerprint text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.claim_key(given_key text, given_fingerprint text) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.claim_key(given_key text, given_fingerprint text) TO builder_customer;
GRANT ALL ON FUNCTION builder.claim_key(given_key text, given_fingerprint text) TO builder_staff;


--
-- Name: FUNCTION clear_at_submission(old builder.quotes, new builder.quotes); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.clear_at_submission(old builder.quotes, new builder.quotes) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.clear_at_submission(old builder.quotes, new builder.quotes) TO builder_customer;
GRANT ALL ON FUNCTION builder.clear_at_submission(old builder.quotes, new builder.quotes) TO builder_staff;


--
-- Name: FUNCTION clear_fulfillment(new builder.quotes); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.clear_fulfillment(new builder.quotes) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.clear_fulfillment(new builder.quotes) TO builder_customer;
GRANT ALL ON FUNCTION builder.clear_fulfillment(new builder.quotes) TO builder_staff;


--
-- Name: FUNCTION compare_offers(quote builder.quotes, total numeric, OUT is_offered boolean, OUT has_other_terms boolean, OUT has_other_terms_of_this_total boolean); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.compare_offers(quote builder.quotes, total numeric, OUT is_offered boolean, OUT has_other_terms boolean, OUT has_other_terms_of_this_total boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.compare_offers(quote builder.quotes, total numeric, OUT is_offered boolean, OUT has_other_terms boolean, OUT has_other_terms_of_this_total boolean) TO builder_customer;
GRANT ALL ON FUNCTION builder.compare_offers(quote builder.quotes, total numeric, OUT is_offered boolean, OUT has_other_terms boolean, OUT has_other_terms_of_this_total boolean) TO builder_staff;


--
-- Name: FUNCTION contact_of(account uuid, quote uuid, by_staff boolean); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.contact_of(account uuid, quote uuid, by_staff boolean) FROM PUBLIC;


--
-- Name: FUNCTION correct_name(quote uuid, was text, becomes text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.correct_name(quote uuid, was text, becomes text) FROM PUBLIC;


--
-- Name: FUNCTION count_customer_number(year integer); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.count_customer_number(year integer) FROM PUBLIC;


--
-- Name: FUNCTION create_webhook_secret(); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.create_webhook_secret() FROM PUBLIC;


--
-- Name: FUNCTION currency_sign(currency text, language text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.currency_sign(currency text, language text) FROM PUBLIC;


--
-- Name: FUNCTION date_form(language text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.date_form(language text) FROM PUBLIC;


--
-- Name: FUNCTION delete_dismissals(); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.delete_dismissals() FROM PUBLIC;


--
-- Name: FUNCTION delivery_status(can_mail boolean, only_loopback boolean, OUT next_mail double precision, OUT next_call double precision, OUT late_mail boolean, OUT late_call boolean, OUT to_warn bigint, OUT failing bigint); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.delivery_status(can_mail boolean, only_loopback boolean, OUT next_mail double precision, OUT next_call double precision, OUT late_mail boolean, OUT late_call boolean, OUT to_warn bigint, OUT failing bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.delivery_status(can_mail boolean, only_loopback boolean, OUT next_mail double precision, OUT next_call double precision, OUT late_mail boolean, OUT late_call boolean, OUT to_warn bigint, OUT failing bigint) TO builder_deliverer;


--
-- Name: FUNCTION design_digest(quote builder.quotes); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.design_digest(quote builder.quotes) FROM PUBLIC;


--
-- Name: FUNCTION digests_of(quote uuid); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.digests_of(quote uuid) FROM PUBLIC;


--
-- Name: FUNCTION dismiss_notification(); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.dismiss_notification() FROM PUBLIC;


--
-- Name: FUNCTION duplicate_quote(id uuid); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.duplicate_quote(id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.duplicate_quote(id uuid) TO builder_customer;
GRANT ALL ON FUNCTION builder.duplicate_quote(id uuid) TO builder_staff;


--
-- Name: FUNCTION email_limit(delivery builder.deliveries, address text, OUT hold_reason text, OUT until timestamp with time zone); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.email_limit(delivery builder.deliveries, address text, OUT hold_reason text, OUT until timestamp with time zone) FROM PUBLIC;


--
-- Name: FUNCTION email_of(account uuid, OUT address text, OUT language text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.email_of(account uuid, OUT address text, OUT language text) FROM PUBLIC;


--
-- Name: FUNCTION email_skip_reason(delivery builder.deliveries); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.email_skip_reason(delivery builder.deliveries) FROM PUBLIC;


--
-- Name: FUNCTION end_calls(); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.end_calls() FROM PUBLIC;


--
-- Name: FUNCTION end_delivery(delivery bigint, state text, reason text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.end_delivery(delivery bigint, state text, reason text) FROM PUBLIC;


--
-- Name: FUNCTION end_is_announced(quote uuid, ends_at timestamp with time zone); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.end_is_announced(quote uuid, ends_at timestamp with time zone) FROM PUBLIC;


--
-- Name: FUNCTION erase_account(account uuid, batch integer, keep_orders boolean); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.erase_account(account uuid, batch integer, keep_orders boolean) FROM PUBLIC;


--
-- Name: FUNCTION erase_changes(account uuid); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.erase_changes(account uuid) FROM PUBLIC;


--
-- Name: FUNCTION erase_creator(account uuid, batch integer); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.erase_creator(account uuid, batch integer) FROM PUBLIC;


--
-- Name: FUNCTION erase_rows(account uuid, batch integer); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.erase_rows(account uuid, batch integer) FROM PUBLIC;


--
-- Name: FUNCTION event_of_call(account uuid, quote uuid, event bigint, queued_at timestamp with time zone); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.event_of_call(account uuid, quote uuid, event bigint, queued_at timestamp with time zone) FROM PUBLIC;


--
-- Name: FUNCTION events_of(old builder.quotes, new builder.quotes, kind text, other_price boolean, other_design boolean); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.events_of(old builder.quotes, new builder.quotes, kind text, other_price boolean, other_design boolean) FROM PUBLIC;


--
-- Name: FUNCTION everyone(); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.everyone() FROM PUBLIC;
GRANT ALL ON FUNCTION builder.everyone() TO builder_anon;
GRANT ALL ON FUNCTION builder.everyone() TO builder_customer;
GRANT ALL ON FUNCTION builder.everyone() TO builder_staff;


--
-- Name: FUNCTION expect_number(error_code text, actual bigint, at_least bigint, at_most bigint); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.expect_number(error_code text, actual bigint, at_least bigint, at_most bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.expect_number(error_code text, actual bigint, at_least bigint, at_most bigint) TO builder_anon;
GRANT ALL ON FUNCTION builder.expect_number(error_code text, actual bigint, at_least bigint, at_most bigint) TO builder_customer;
GRANT ALL ON FUNCTION builder.expect_number(error_code text, actual bigint, at_least bigint, at_most bigint) TO builder_staff;
GRANT ALL ON FUNCTION builder.expect_number(error_code text, actual bigint, at_least bigint, at_most bigint) TO builder_reader;


--
-- Name: FUNCTION expire_quotes(batch integer, failed_before uuid[], OUT swept integer, OUT failed uuid[], OUT code text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.expire_quotes(batch integer, failed_before uuid[], OUT swept integer, OUT failed uuid[], OUT code text) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.expire_quotes(batch integer, failed_before uuid[], OUT swept integer, OUT failed uuid[], OUT code text) TO builder_sweeper;


--
-- Name: COLUMN quote_events.xmax; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(xmax) ON TABLE builder.quote_events TO builder_customer;
GRANT SELECT(xmax) ON TABLE builder.quote_events TO builder_staff;
GRANT SELECT(xmax) ON TABLE builder.quote_events TO builder_reader;


--
-- Name: COLUMN quote_events.xmin; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(xmin) ON TABLE builder.quote_events TO builder_customer;
GRANT SELECT(xmin) ON TABLE builder.quote_events TO builder_staff;
GRANT SELECT(xmin) ON TABLE builder.quote_events TO builder_reader;


--
-- Name: COLUMN quote_events.id; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(id) ON TABLE builder.quote_events TO builder_customer;
GRANT SELECT(id) ON TABLE builder.quote_events TO builder_staff;
GRANT SELECT(id) ON TABLE builder.quote_events TO builder_reader;


--
-- Name: COLUMN quote_events.quote_id; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(quote_id) ON TABLE builder.quote_events TO builder_customer;
GRANT SELECT(quote_id) ON TABLE builder.quote_events TO builder_staff;
GRANT SELECT(quote_id) ON TABLE builder.quote_events TO builder_reader;


--
-- Name: COLUMN quote_events.account_id; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(account_id) ON TABLE builder.quote_events TO builder_customer;
GRANT SELECT(account_id) ON TABLE builder.quote_events TO builder_staff;
GRANT SELECT(account_id) ON TABLE builder.quote_events TO builder_reader;


--
-- Name: COLUMN quote_events.event; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(event) ON TABLE builder.quote_events TO builder_customer;
GRANT SELECT(event) ON TABLE builder.quote_events TO builder_staff;
GRANT SELECT(event) ON TABLE builder.quote_events TO builder_reader;


--
-- Name: COLUMN quote_events.status; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(status) ON TABLE builder.quote_events TO builder_customer;
GRANT SELECT(status) ON TABLE builder.quote_events TO builder_staff;
GRANT SELECT(status) ON TABLE builder.quote_events TO builder_reader;


--
-- Name: COLUMN quote_events.previous_status; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(previous_status) ON TABLE builder.quote_events TO builder_customer;
GRANT SELECT(previous_status) ON TABLE builder.quote_events TO builder_staff;
GRANT SELECT(previous_status) ON TABLE builder.quote_events TO builder_reader;


--
-- Name: COLUMN quote_events.fulfillment_status; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(fulfillment_status) ON TABLE builder.quote_events TO builder_customer;
GRANT SELECT(fulfillment_status) ON TABLE builder.quote_events TO builder_staff;
GRANT SELECT(fulfillment_status) ON TABLE builder.quote_events TO builder_reader;


--
-- Name: COLUMN quote_events.unit_price; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(unit_price) ON TABLE builder.quote_events TO builder_customer;
GRANT SELECT(unit_price) ON TABLE builder.quote_events TO builder_staff;
GRANT SELECT(unit_price) ON TABLE builder.quote_events TO builder_reader;


--
-- Name: COLUMN quote_events.total_price; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(total_price) ON TABLE builder.quote_events TO builder_customer;
GRANT SELECT(total_price) ON TABLE builder.quote_events TO builder_staff;
GRANT SELECT(total_price) ON TABLE builder.quote_events TO builder_reader;


--
-- Name: COLUMN quote_events.currency; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(currency) ON TABLE builder.quote_events TO builder_customer;
GRANT SELECT(currency) ON TABLE builder.quote_events TO builder_staff;
GRANT SELECT(currency) ON TABLE builder.quote_events TO builder_reader;


--
-- Name: COLUMN quote_events.expires_at; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(expires_at) ON TABLE builder.quote_events TO builder_customer;
GRANT SELECT(expires_at) ON TABLE builder.quote_events TO builder_staff;
GRANT SELECT(expires_at) ON TABLE builder.quote_events TO builder_reader;


--
-- Name: COLUMN quote_events.offer; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(offer) ON TABLE builder.quote_events TO builder_customer;
GRANT SELECT(offer) ON TABLE builder.quote_events TO builder_staff;
GRANT SELECT(offer) ON TABLE builder.quote_events TO builder_reader;


--
-- Name: COLUMN quote_events.notified; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(notified) ON TABLE builder.quote_events TO builder_staff;
GRANT SELECT(notified) ON TABLE builder.quote_events TO builder_reader;


--
-- Name: COLUMN quote_events.created_at; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(created_at) ON TABLE builder.quote_events TO builder_customer;
GRANT SELECT(created_at) ON TABLE builder.quote_events TO builder_staff;
GRANT SELECT(created_at) ON TABLE builder.quote_events TO builder_reader;


--
-- Name: COLUMN quote_events.created_by; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(created_by) ON TABLE builder.quote_events TO builder_customer;
GRANT SELECT(created_by) ON TABLE builder.quote_events TO builder_staff;
GRANT SELECT(created_by) ON TABLE builder.quote_events TO builder_reader;


--
-- Name: COLUMN quote_events.created_as; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(created_as) ON TABLE builder.quote_events TO builder_customer;
GRANT SELECT(created_as) ON TABLE builder.quote_events TO builder_staff;
GRANT SELECT(created_as) ON TABLE builder.quote_events TO builder_reader;


--
-- Name: COLUMN quote_events.staff_id; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT(staff_id) ON TABLE builder.quote_events TO builder_staff;
GRANT SELECT(staff_id) ON TABLE builder.quote_events TO builder_reader;


--
-- Name: FUNCTION fill_message(template text, event builder.quote_events, language text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.fill_message(template text, event builder.quote_events, language text) FROM PUBLIC;


--
-- Name: FUNCTION is_link(value text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.is_link(value text) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.is_link(value text) TO builder_customer;
GRANT ALL ON FUNCTION builder.is_link(value text) TO builder_staff;


--
-- Name: FUNCTION find_message(event text, audience text, language text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.find_message(event text, audience text, language text) FROM PUBLIC;


--
-- Name: FUNCTION first_call_is_late(webhook uuid); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.first_call_is_late(webhook uuid) FROM PUBLIC;


--
-- Name: FUNCTION forbid_column(column_name text, why text, hint text, expected text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.forbid_column(column_name text, why text, hint text, expected text) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.forbid_column(column_name text, why text, hint text, expected text) TO builder_customer;


--
-- Name: FUNCTION forget_responses(quote uuid); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.forget_responses(quote uuid) FROM PUBLIC;


--
-- Name: FUNCTION format_day(moment timestamp with time zone, account uuid, language text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.format_day(moment timestamp with time zone, account uuid, language text) FROM PUBLIC;


--
-- Name: FUNCTION format_language(of_text text, of_reader text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.format_language(of_text text, of_reader text) FROM PUBLIC;


--
-- Name: FUNCTION format_price(amount numeric, currency text, language text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.format_price(amount numeric, currency text, language text) FROM PUBLIC;


--
-- Name: FUNCTION format_quote_number(year integer, number integer); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.format_quote_number(year integer, number integer) FROM PUBLIC;


--
-- Name: FUNCTION format_time(moment timestamp with time zone, account uuid, language text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.format_time(moment timestamp with time zone, account uuid, language text) FROM PUBLIC;


--
-- Name: FUNCTION has_one_design(quote builder.quotes); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.has_one_design(quote builder.quotes) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.has_one_design(quote builder.quotes) TO builder_staff;


--
-- Name: FUNCTION hinted_update(quote builder.quotes, status text, needed text[], names text[]); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.hinted_update(quote builder.quotes, status text, needed text[], names text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.hinted_update(quote builder.quotes, status text, needed text[], names text[]) TO builder_customer;
GRANT ALL ON FUNCTION builder.hinted_update(quote builder.quotes, status text, needed text[], names text[]) TO builder_staff;


--
-- Name: FUNCTION hold_email(one builder.deliveries, state text, reason text, until timestamp with time zone); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.hold_email(one builder.deliveries, state text, reason text, until timestamp with time zone) FROM PUBLIC;


--
-- Name: FUNCTION is_announced(event builder.quote_events, audience text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.is_announced(event builder.quote_events, audience text) FROM PUBLIC;


--
-- Name: FUNCTION is_anonymous(quote builder.quotes); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.is_anonymous(quote builder.quotes) FROM PUBLIC;


--
-- Name: FUNCTION is_by_staff(happened builder.quote_events); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.is_by_staff(happened builder.quote_events) FROM PUBLIC;


--
-- Name: FUNCTION is_correction(); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.is_correction() FROM PUBLIC;
GRANT ALL ON FUNCTION builder.is_correction() TO builder_customer;
GRANT ALL ON FUNCTION builder.is_correction() TO builder_staff;


--
-- Name: FUNCTION is_email_address(address text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.is_email_address(address text) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.is_email_address(address text) TO builder_customer;
GRANT ALL ON FUNCTION builder.is_email_address(address text) TO builder_staff;


--
-- Name: FUNCTION is_other_time(given timestamp with time zone, stored timestamp with time zone); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.is_other_time(given timestamp with time zone, stored timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.is_other_time(given timestamp with time zone, stored timestamp with time zone) TO builder_customer;
GRANT ALL ON FUNCTION builder.is_other_time(given timestamp with time zone, stored timestamp with time zone) TO builder_staff;


--
-- Name: FUNCTION is_quiet(); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.is_quiet() FROM PUBLIC;
GRANT ALL ON FUNCTION builder.is_quiet() TO builder_staff;


--
-- Name: FUNCTION is_seen(value text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.is_seen(value text) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.is_seen(value text) TO builder_customer;
GRANT ALL ON FUNCTION builder.is_seen(value text) TO builder_staff;


--
-- Name: FUNCTION is_size_breakdown(value jsonb); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.is_size_breakdown(value jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.is_size_breakdown(value jsonb) TO builder_customer;
GRANT ALL ON FUNCTION builder.is_size_breakdown(value jsonb) TO builder_staff;


--
-- Name: FUNCTION is_superseded(quote uuid, event bigint); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.is_superseded(quote uuid, event bigint) FROM PUBLIC;


--
-- Name: FUNCTION is_there(quote uuid); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.is_there(quote uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.is_there(quote uuid) TO builder_customer;
GRANT ALL ON FUNCTION builder.is_there(quote uuid) TO builder_staff;


--
-- Name: FUNCTION judge_quote(old builder.quotes, new builder.quotes, by_customer boolean, moved boolean); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.judge_quote(old builder.quotes, new builder.quotes, by_customer boolean, moved boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.judge_quote(old builder.quotes, new builder.quotes, by_customer boolean, moved boolean) TO builder_customer;
GRANT ALL ON FUNCTION builder.judge_quote(old builder.quotes, new builder.quotes, by_customer boolean, moved boolean) TO builder_staff;


--
-- Name: FUNCTION key_owner(); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.key_owner() FROM PUBLIC;


--
-- Name: FUNCTION language_of(account uuid); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.language_of(account uuid) FROM PUBLIC;


--
-- Name: FUNCTION language_tag(language text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.language_tag(language text) FROM PUBLIC;


--
-- Name: FUNCTION languages_for(language text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.languages_for(language text) FROM PUBLIC;


--
-- Name: FUNCTION last_read(since pg_snapshot, since_id bigint); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.last_read(since pg_snapshot, since_id bigint) FROM PUBLIC;


--
-- Name: FUNCTION live_query(reading json); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.live_query(reading json) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.live_query(reading json) TO builder_customer;
GRANT ALL ON FUNCTION builder.live_query(reading json) TO builder_staff;


--
-- Name: FUNCTION local_time(moment timestamp with time zone, account uuid, OUT at timestamp without time zone, OUT zone text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.local_time(moment timestamp with time zone, account uuid, OUT at timestamp without time zone, OUT zone text) FROM PUBLIC;


--
-- Name: FUNCTION lock_notifications_of_customer(ids bigint[]); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.lock_notifications_of_customer(ids bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.lock_notifications_of_customer(ids bigint[]) TO builder_customer;


--
-- Name: FUNCTION locked_rows(account uuid); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.locked_rows(account uuid) FROM PUBLIC;


--
-- Name: FUNCTION mark_cut(list json, is_cut boolean); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.mark_cut(list json, is_cut boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.mark_cut(list json, is_cut boolean) TO builder_anon;
GRANT ALL ON FUNCTION builder.mark_cut(list json, is_cut boolean) TO builder_customer;
GRANT ALL ON FUNCTION builder.mark_cut(list json, is_cut boolean) TO builder_staff;
GRANT ALL ON FUNCTION builder.mark_cut(list json, is_cut boolean) TO builder_reader;


--
-- Name: FUNCTION may_call(url text, only_loopback boolean); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.may_call(url text, only_loopback boolean) FROM PUBLIC;


--
-- Name: FUNCTION name_pattern(name text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.name_pattern(name text) FROM PUBLIC;


--
-- Name: FUNCTION named_columns(quote builder.quotes, names text[]); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.named_columns(quote builder.quotes, names text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.named_columns(quote builder.quotes, names text[]) TO builder_customer;
GRANT ALL ON FUNCTION builder.named_columns(quote builder.quotes, names text[]) TO builder_staff;


--
-- Name: FUNCTION named_parts(quote builder.quotes, was text, becomes text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.named_parts(quote builder.quotes, was text, becomes text) FROM PUBLIC;


--
-- Name: FUNCTION names(column_name text, is_stored boolean); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.names(column_name text, is_stored boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.names(column_name text, is_stored boolean) TO builder_customer;
GRANT ALL ON FUNCTION builder.names(column_name text, is_stored boolean) TO builder_staff;


--
-- Name: FUNCTION names_offer(old builder.quotes, new builder.quotes); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.names_offer(old builder.quotes, new builder.quotes) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.names_offer(old builder.quotes, new builder.quotes) TO builder_customer;
GRANT ALL ON FUNCTION builder.names_offer(old builder.quotes, new builder.quotes) TO builder_staff;


--
-- Name: FUNCTION names_price(old builder.quotes, new builder.quotes); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.names_price(old builder.quotes, new builder.quotes) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.names_price(old builder.quotes, new builder.quotes) TO builder_customer;
GRANT ALL ON FUNCTION builder.names_price(old builder.quotes, new builder.quotes) TO builder_staff;


--
-- Name: FUNCTION names_submission(old builder.quotes, new builder.quotes); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.names_submission(old builder.quotes, new builder.quotes) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.names_submission(old builder.quotes, new builder.quotes) TO builder_customer;
GRANT ALL ON FUNCTION builder.names_submission(old builder.quotes, new builder.quotes) TO builder_staff;


--
-- Name: FUNCTION names_version(old builder.quotes, new builder.quotes); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.names_version(old builder.quotes, new builder.quotes) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.names_version(old builder.quotes, new builder.quotes) TO builder_customer;
GRANT ALL ON FUNCTION builder.names_version(old builder.quotes, new builder.quotes) TO builder_staff;


--
-- Name: FUNCTION naming_hint(quote builder.quotes, status text, needed text[], names text[]); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.naming_hint(quote builder.quotes, status text, needed text[], names text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.naming_hint(quote builder.quotes, status text, needed text[], names text[]) TO builder_customer;
GRANT ALL ON FUNCTION builder.naming_hint(quote builder.quotes, status text, needed text[], names text[]) TO builder_staff;


--
-- Name: FUNCTION next_attempt_at(one builder.deliveries, outcome text, retry_after double precision); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.next_attempt_at(one builder.deliveries, outcome text, retry_after double precision) FROM PUBLIC;


--
-- Name: FUNCTION next_quote_number(); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.next_quote_number() FROM PUBLIC;
GRANT ALL ON FUNCTION builder.next_quote_number() TO builder_customer;
GRANT ALL ON FUNCTION builder.next_quote_number() TO builder_staff;


--
-- Name: FUNCTION next_turn(account uuid, webhook uuid); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.next_turn(account uuid, webhook uuid) FROM PUBLIC;


--
-- Name: FUNCTION note_version(quote uuid); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.note_version(quote uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.note_version(quote uuid) TO builder_customer;
GRANT ALL ON FUNCTION builder.note_version(quote uuid) TO builder_staff;


--
-- Name: FUNCTION notify_account(happened builder.quote_events, audience text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.notify_account(happened builder.quote_events, audience text) FROM PUBLIC;


--
-- Name: FUNCTION open_fields(field text, status text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.open_fields(field text, status text) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.open_fields(field text, status text) TO builder_customer;


--
-- Name: FUNCTION opens_change(old builder.quotes, new builder.quotes); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.opens_change(old builder.quotes, new builder.quotes) FROM PUBLIC;


--
-- Name: FUNCTION planned_rows(query text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.planned_rows(query text) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.planned_rows(query text) TO builder_staff;
GRANT ALL ON FUNCTION builder.planned_rows(query text) TO builder_reader;


--
-- Name: FUNCTION prepare_email_claim(a_day integer, staff text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.prepare_email_claim(a_day integer, staff text) FROM PUBLIC;


--
-- Name: FUNCTION price_form(language text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.price_form(language text) FROM PUBLIC;


--
-- Name: FUNCTION prune_changes(batch integer); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.prune_changes(batch integer) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.prune_changes(batch integer) TO builder_sweeper;


--
-- Name: FUNCTION prune_deliveries(batch integer); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.prune_deliveries(batch integer) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.prune_deliveries(batch integer) TO builder_sweeper;


--
-- Name: FUNCTION prune_idempotency_keys(batch integer); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.prune_idempotency_keys(batch integer) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.prune_idempotency_keys(batch integer) TO builder_sweeper;


--
-- Name: FUNCTION prune_notifications(batch integer); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.prune_notifications(batch integer) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.prune_notifications(batch integer) TO builder_sweeper;


--
-- Name: FUNCTION queue_call(happened builder.quote_events, webhook uuid); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.queue_call(happened builder.quote_events, webhook uuid) FROM PUBLIC;


--
-- Name: FUNCTION queue_calls(happened builder.quote_events); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.queue_calls(happened builder.quote_events) FROM PUBLIC;


--
-- Name: FUNCTION queue_email(); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.queue_email() FROM PUBLIC;


--
-- Name: FUNCTION queue_messages(); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.queue_messages() FROM PUBLIC;


--
-- Name: FUNCTION quote_columns(); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.quote_columns() FROM PUBLIC;
GRANT ALL ON FUNCTION builder.quote_columns() TO builder_customer;
GRANT ALL ON FUNCTION builder.quote_columns() TO builder_staff;


--
-- Name: FUNCTION read_changes(ids bigint[], callers json, readings json, bounds json); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.read_changes(ids bigint[], callers json, readings json, bounds json) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.read_changes(ids bigint[], callers json, readings json, bounds json) TO builder_customer;
GRANT ALL ON FUNCTION builder.read_changes(ids bigint[], callers json, readings json, bounds json) TO builder_staff;


--
-- Name: FUNCTION read_rows(lines integer[], ids bigint[], queries json, record_bytes integer, most bigint, until timestamp with time zone); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.read_rows(lines integer[], ids bigint[], queries json, record_bytes integer, most bigint, until timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.read_rows(lines integer[], ids bigint[], queries json, record_bytes integer, most bigint, until timestamp with time zone) TO builder_customer;
GRANT ALL ON FUNCTION builder.read_rows(lines integer[], ids bigint[], queries json, record_bytes integer, most bigint, until timestamp with time zone) TO builder_staff;


--
-- Name: FUNCTION record_call_result(webhook uuid, outcome text, reason text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.record_call_result(webhook uuid, outcome text, reason text) FROM PUBLIC;


--
-- Name: FUNCTION record_changes(); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.record_changes() FROM PUBLIC;


--
-- Name: FUNCTION record_dismissals(); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.record_dismissals() FROM PUBLIC;


--
-- Name: FUNCTION record_history(); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.record_history() FROM PUBLIC;


--
-- Name: FUNCTION record_imported_number(); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.record_imported_number() FROM PUBLIC;


--
-- Name: FUNCTION record_mail_result(address text, outcome text, reason text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.record_mail_result(address text, outcome text, reason text) FROM PUBLIC;


--
-- Name: FUNCTION record_offer(quote builder.quotes); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.record_offer(quote builder.quotes) FROM PUBLIC;


--
-- Name: FUNCTION record_sweep(); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.record_sweep() FROM PUBLIC;
GRANT ALL ON FUNCTION builder.record_sweep() TO builder_sweeper;


--
-- Name: FUNCTION redeliver(id bigint); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.redeliver(id bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.redeliver(id bigint) TO builder_staff;


--
-- Name: FUNCTION refuse_blank_body(); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.refuse_blank_body() FROM PUBLIC;


--
-- Name: FUNCTION refuse_changed_offer(quote_id uuid); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.refuse_changed_offer(quote_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.refuse_changed_offer(quote_id uuid) TO builder_customer;
GRANT ALL ON FUNCTION builder.refuse_changed_offer(quote_id uuid) TO builder_staff;


--
-- Name: FUNCTION refuse_changes(collection text, privilege text, columns text[], key text, judged json); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.refuse_changes(collection text, privilege text, columns text[], key text, judged json) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.refuse_changes(collection text, privilege text, columns text[], key text, judged json) TO builder_customer;
GRANT ALL ON FUNCTION builder.refuse_changes(collection text, privilege text, columns text[], key text, judged json) TO builder_staff;


--
-- Name: FUNCTION refuse_earlier_version(old builder.quotes, new builder.quotes); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.refuse_earlier_version(old builder.quotes, new builder.quotes) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.refuse_earlier_version(old builder.quotes, new builder.quotes) TO builder_staff;


--
-- Name: FUNCTION refuse_other_offer(quote builder.quotes, status text, is_other_price boolean); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.refuse_other_offer(quote builder.quotes, status text, is_other_price boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.refuse_other_offer(quote builder.quotes, status text, is_other_price boolean) TO builder_customer;
GRANT ALL ON FUNCTION builder.refuse_other_offer(quote builder.quotes, status text, is_other_price boolean) TO builder_staff;


--
-- Name: FUNCTION refuse_response(); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.refuse_response() FROM PUBLIC;
GRANT ALL ON FUNCTION builder.refuse_response() TO builder_anon;
GRANT ALL ON FUNCTION builder.refuse_response() TO builder_customer;
GRANT ALL ON FUNCTION builder.refuse_response() TO builder_staff;
GRANT ALL ON FUNCTION builder.refuse_response() TO builder_reader;


--
-- Name: FUNCTION refuse_value(table_name text, constraint_name text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.refuse_value(table_name text, constraint_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.refuse_value(table_name text, constraint_name text) TO builder_customer;
GRANT ALL ON FUNCTION builder.refuse_value(table_name text, constraint_name text) TO builder_staff;


--
-- Name: FUNCTION remove_deleted(batch integer); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.remove_deleted(batch integer) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.remove_deleted(batch integer) TO builder_sweeper;


--
-- Name: FUNCTION remove_old_quotes(batch integer); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.remove_old_quotes(batch integer) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.remove_old_quotes(batch integer) TO builder_sweeper;


--
-- Name: FUNCTION remove_quotes(ids uuid[]); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.remove_quotes(ids uuid[]) FROM PUBLIC;


--
-- Name: FUNCTION renew_digests(quote uuid, before text[]); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.renew_digests(quote uuid, before text[]) FROM PUBLIC;


--
-- Name: FUNCTION replace_name(value jsonb, was text, becomes text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.replace_name(value jsonb, was text, becomes text) FROM PUBLIC;


--
-- Name: FUNCTION replace_name(value text, was text, becomes text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.replace_name(value text, was text, becomes text) FROM PUBLIC;


--
-- Name: FUNCTION require_one_quote(act text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.require_one_quote(act text) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.require_one_quote(act text) TO builder_customer;
GRANT ALL ON FUNCTION builder.require_one_quote(act text) TO builder_staff;


--
-- Name: FUNCTION resolve_email(delivery builder.deliveries, staff text, OUT account_id uuid, OUT address text, OUT greeting text, OUT body text, OUT link text, OUT language text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.resolve_email(delivery builder.deliveries, staff text, OUT account_id uuid, OUT address text, OUT greeting text, OUT body text, OUT link text, OUT language text) FROM PUBLIC;


--
-- Name: FUNCTION retry_schedule(kind text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.retry_schedule(kind text) FROM PUBLIC;


--
-- Name: FUNCTION retry_waiting_emails(); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.retry_waiting_emails() FROM PUBLIC;


--
-- Name: FUNCTION run_once(key text, fingerprint text, statement text, body json); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.run_once(key text, fingerprint text, statement text, body json) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.run_once(key text, fingerprint text, statement text, body json) TO builder_customer;
GRANT ALL ON FUNCTION builder.run_once(key text, fingerprint text, statement text, body json) TO builder_staff;


--
-- Name: FUNCTION save_response(given_key text, given_response json, given_accounts uuid[]); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.save_response(given_key text, given_response json, given_accounts uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.save_response(given_key text, given_response json, given_accounts uuid[]) TO builder_customer;
GRANT ALL ON FUNCTION builder.save_response(given_key text, given_response json, given_accounts uuid[]) TO builder_staff;


--
-- Name: FUNCTION says_change(event builder.quote_events); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.says_change(event builder.quote_events) FROM PUBLIC;


--
-- Name: FUNCTION seen_lines(candidates integer[], ids bigint[]); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.seen_lines(candidates integer[], ids bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.seen_lines(candidates integer[], ids bigint[]) TO builder_customer;
GRANT ALL ON FUNCTION builder.seen_lines(candidates integer[], ids bigint[]) TO builder_staff;


--
-- Name: FUNCTION sends_other_submission(old builder.quotes, new builder.quotes); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.sends_other_submission(old builder.quotes, new builder.quotes) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.sends_other_submission(old builder.quotes, new builder.quotes) TO builder_staff;


--
-- Name: FUNCTION server_timeline(); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.server_timeline() FROM PUBLIC;


--
-- Name: FUNCTION sets_price(old builder.quotes, new builder.quotes); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.sets_price(old builder.quotes, new builder.quotes) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.sets_price(old builder.quotes, new builder.quotes) TO builder_customer;
GRANT ALL ON FUNCTION builder.sets_price(old builder.quotes, new builder.quotes) TO builder_staff;


--
-- Name: FUNCTION settle(message uuid, claim integer, outcome text, reason text, retry_after double precision); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.settle(message uuid, claim integer, outcome text, reason text, retry_after double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.settle(message uuid, claim integer, outcome text, reason text, retry_after double precision) TO builder_deliverer;


--
-- Name: FUNCTION short_value(value anyelement, bytes integer, field text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.short_value(value anyelement, bytes integer, field text) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.short_value(value anyelement, bytes integer, field text) TO builder_anon;
GRANT ALL ON FUNCTION builder.short_value(value anyelement, bytes integer, field text) TO builder_customer;
GRANT ALL ON FUNCTION builder.short_value(value anyelement, bytes integer, field text) TO builder_staff;
GRANT ALL ON FUNCTION builder.short_value(value anyelement, bytes integer, field text) TO builder_reader;


--
-- Name: FUNCTION shorten_record(record json, most integer); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.shorten_record(record json, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.shorten_record(record json, most integer) TO builder_customer;
GRANT ALL ON FUNCTION builder.shorten_record(record json, most integer) TO builder_staff;


--
-- Name: FUNCTION shown_design(old builder.quotes, new builder.quotes, kind text, other_design boolean); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.shown_design(old builder.quotes, new builder.quotes, kind text, other_design boolean) FROM PUBLIC;


--
-- Name: FUNCTION silence_copy(OUT webhooks bigint, OUT deliveries bigint); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.silence_copy(OUT webhooks bigint, OUT deliveries bigint) FROM PUBLIC;


--
-- Name: FUNCTION skip_dismissed(); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.skip_dismissed() FROM PUBLIC;


--
-- Name: FUNCTION skip_lost_numbers(); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.skip_lost_numbers() FROM PUBLIC;


--
-- Name: FUNCTION skip_supplied_notification_id(); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.skip_supplied_notification_id() FROM PUBLIC;


--
-- Name: FUNCTION split_language(language text, OUT base text, OUT regional text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.split_language(language text, OUT base text, OUT regional text) FROM PUBLIC;


--
-- Name: FUNCTION stamp_graphic(); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.stamp_graphic() FROM PUBLIC;


--
-- Name: FUNCTION stamp_of(stored timestamp with time zone, given timestamp with time zone, updated_at timestamp with time zone, is_made boolean, moment timestamp with time zone); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.stamp_of(stored timestamp with time zone, given timestamp with time zone, updated_at timestamp with time zone, is_made boolean, moment timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.stamp_of(stored timestamp with time zone, given timestamp with time zone, updated_at timestamp with time zone, is_made boolean, moment timestamp with time zone) TO builder_customer;
GRANT ALL ON FUNCTION builder.stamp_of(stored timestamp with time zone, given timestamp with time zone, updated_at timestamp with time zone, is_made boolean, moment timestamp with time zone) TO builder_staff;


--
-- Name: FUNCTION stamp_price(old builder.quotes, new builder.quotes, by_customer boolean, moment timestamp with time zone); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.stamp_price(old builder.quotes, new builder.quotes, by_customer boolean, moment timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.stamp_price(old builder.quotes, new builder.quotes, by_customer boolean, moment timestamp with time zone) TO builder_customer;
GRANT ALL ON FUNCTION builder.stamp_price(old builder.quotes, new builder.quotes, by_customer boolean, moment timestamp with time zone) TO builder_staff;


--
-- Name: FUNCTION stamp_quote(old builder.quotes, new builder.quotes, by_customer boolean); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.stamp_quote(old builder.quotes, new builder.quotes, by_customer boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.stamp_quote(old builder.quotes, new builder.quotes, by_customer boolean) TO builder_customer;
GRANT ALL ON FUNCTION builder.stamp_quote(old builder.quotes, new builder.quotes, by_customer boolean) TO builder_staff;


--
-- Name: FUNCTION supersedes(later text, earlier text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.supersedes(later text, earlier text) FROM PUBLIC;


--
-- Name: FUNCTION sweep_is_late(); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.sweep_is_late() FROM PUBLIC;
GRANT ALL ON FUNCTION builder.sweep_is_late() TO builder_anon;


--
-- Name: FUNCTION time_zone_of(account uuid); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.time_zone_of(account uuid) FROM PUBLIC;


--
-- Name: FUNCTION try_writing(); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.try_writing() FROM PUBLIC;
GRANT ALL ON FUNCTION builder.try_writing() TO builder_anon;


--
-- Name: FUNCTION undone_by(happened builder.quote_events); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.undone_by(happened builder.quote_events) FROM PUBLIC;


--
-- Name: FUNCTION unseen(); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.unseen() FROM PUBLIC;
GRANT ALL ON FUNCTION builder.unseen() TO builder_customer;
GRANT ALL ON FUNCTION builder.unseen() TO builder_staff;


--
-- Name: FUNCTION unsubscribe_account(account uuid); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.unsubscribe_account(account uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.unsubscribe_account(account uuid) TO builder_deliverer;


--
-- Name: FUNCTION was_offered_in(quote uuid, currency text); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.was_offered_in(quote uuid, currency text) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.was_offered_in(quote uuid, currency text) TO builder_staff;


--
-- Name: FUNCTION within_bytes(response text, bytes integer); Type: ACL; Schema: builder; Owner: -
--

REVOKE ALL ON FUNCTION builder.within_bytes(response text, bytes integer) FROM PUBLIC;
GRANT ALL ON FUNCTION builder.within_bytes(response text, bytes integer) TO builder_anon;
GRANT ALL ON FUNCTION builder.within_bytes(response text, bytes integer) TO builder_customer;
GRANT ALL ON FUNCTION builder.within_bytes(response text, bytes integer) TO builder_staff;
GRANT ALL ON FUNCTION builder.within_bytes(response text, bytes integer) TO builder_reader;


--
-- Name: TABLE dismissals; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT,INSERT,DELETE ON TABLE builder.dismissals TO builder_customer;


--
-- Name: TABLE graphics; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT ON TABLE builder.graphics TO builder_anon;
GRANT SELECT ON TABLE builder.graphics TO builder_customer;
GRANT SELECT ON TABLE builder.graphics TO builder_reader;
GRANT SELECT,INSERT,DELETE ON TABLE builder.graphics TO builder_staff;


--
-- Name: COLUMN graphics.name; Type: ACL; Schema: builder; Owner: -
--

GRANT UPDATE(name) ON TABLE builder.graphics TO builder_staff;


--
-- Name: COLUMN graphics.code; Type: ACL; Schema: builder; Owner: -
--

GRANT UPDATE(code) ON TABLE builder.graphics TO builder_staff;


--
-- Name: COLUMN graphics.category_id; Type: ACL; Schema: builder; Owner: -
--

GRANT UPDATE(category_id) ON TABLE builder.graphics TO builder_staff;


--
-- Name: COLUMN graphics.file_url; Type: ACL; Schema: builder; Owner: -
--

GRANT UPDATE(file_url) ON TABLE builder.graphics TO builder_staff;


--
-- Name: COLUMN graphics.file_format; Type: ACL; Schema: builder; Owner: -
--

GRANT UPDATE(file_format) ON TABLE builder.graphics TO builder_staff;


--
-- Name: COLUMN graphics.file_size; Type: ACL; Schema: builder; Owner: -
--

GRANT UPDATE(file_size) ON TABLE builder.graphics TO builder_staff;


--
-- Name: COLUMN graphics.width; Type: ACL; Schema: builder; Owner: -
--

GRANT UPDATE(width) ON TABLE builder.graphics TO builder_staff;


--
-- Name: COLUMN graphics.height; Type: ACL; Schema: builder; Owner: -
--

GRANT UPDATE(height) ON TABLE builder.graphics TO builder_staff;


--
-- Name: COLUMN graphics.description; Type: ACL; Schema: builder; Owner: -
--

GRANT UPDATE(description) ON TABLE builder.graphics TO builder_staff;


--
-- Name: COLUMN graphics.tags; Type: ACL; Schema: builder; Owner: -
--

GRANT UPDATE(tags) ON TABLE builder.graphics TO builder_staff;


--
-- Name: COLUMN graphics.is_active; Type: ACL; Schema: builder; Owner: -
--

GRANT UPDATE(is_active) ON TABLE builder.graphics TO builder_staff;


--
-- Name: COLUMN graphics.sort_order; Type: ACL; Schema: builder; Owner: -
--

GRANT UPDATE(sort_order) ON TABLE builder.graphics TO builder_staff;


--
-- Name: COLUMN graphics.created_by; Type: ACL; Schema: builder; Owner: -
--

GRANT UPDATE(created_by) ON TABLE builder.graphics TO builder_staff;


--
-- Name: COLUMN graphics.created_at; Type: ACL; Schema: builder; Owner: -
--

GRANT UPDATE(created_at) ON TABLE builder.graphics TO builder_staff;


--
-- Name: COLUMN graphics.updated_at; Type: ACL; Schema: builder; Owner: -
--

GRANT UPDATE(updated_at) ON TABLE builder.graphics TO builder_staff;


--
-- Name: COLUMN graphics.deleted_at; Type: ACL; Schema: builder; Owner: -
--

GRANT UPDATE(deleted_at) ON TABLE builder.graphics TO builder_staff;


--
-- Name: TABLE notifications; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT,DELETE ON TABLE builder.notifications TO builder_customer;
GRANT SELECT,INSERT,DELETE ON TABLE builder.notifications TO builder_staff;
GRANT SELECT ON TABLE builder.notifications TO builder_reader;


--
-- Name: COLUMN notifications.account_id; Type: ACL; Schema: builder; Owner: -
--

GRANT UPDATE(account_id) ON TABLE builder.notifications TO builder_staff;


--
-- Name: COLUMN notifications.type; Type: ACL; Schema: builder; Owner: -
--

GRANT UPDATE(type) ON TABLE builder.notifications TO builder_staff;


--
-- Name: COLUMN notifications.body; Type: ACL; Schema: builder; Owner: -
--

GRANT UPDATE(body) ON TABLE builder.notifications TO builder_staff;


--
-- Name: COLUMN notifications.link; Type: ACL; Schema: builder; Owner: -
--

GRANT UPDATE(link) ON TABLE builder.notifications TO builder_staff;


--
-- Name: COLUMN notifications.channel; Type: ACL; Schema: builder; Owner: -
--

GRANT UPDATE(channel) ON TABLE builder.notifications TO builder_staff;


--
-- Name: COLUMN notifications.dismissed; Type: ACL; Schema: builder; Owner: -
--

GRANT UPDATE(dismissed) ON TABLE builder.notifications TO builder_customer;
GRANT UPDATE(dismissed) ON TABLE builder.notifications TO builder_staff;


--
-- Name: COLUMN notifications.expires_at; Type: ACL; Schema: builder; Owner: -
--

GRANT UPDATE(expires_at) ON TABLE builder.notifications TO builder_staff;


--
-- Name: COLUMN notifications.created_at; Type: ACL; Schema: builder; Owner: -
--

GRANT UPDATE(created_at) ON TABLE builder.notifications TO builder_staff;


--
-- Name: SEQUENCE notifications_id_seq; Type: ACL; Schema: builder; Owner: -
--

GRANT USAGE ON SEQUENCE builder.notifications_id_seq TO builder_staff;


--
-- Name: TABLE notifications_of_customer; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT ON TABLE builder.notifications_of_customer TO builder_customer;


--
-- Name: COLUMN notifications_of_customer.dismissed; Type: ACL; Schema: builder; Owner: -
--

GRANT UPDATE(dismissed) ON TABLE builder.notifications_of_customer TO builder_customer;


--
-- Name: TABLE quote_offers; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT ON TABLE builder.quote_offers TO builder_customer;
GRANT SELECT ON TABLE builder.quote_offers TO builder_staff;
GRANT SELECT ON TABLE builder.quote_offers TO builder_reader;


--
-- Name: TABLE quote_transitions; Type: ACL; Schema: builder; Owner: -
--

GRANT SELECT ON TABLE builder.quote_transitions TO builder_customer;
GRANT SELECT ON TABLE builder.quote_transitions TO builder_staff;


--
-- PostgreSQL database dump complete
--


