-- The languages of messages: which text an account gets, and how its language writes an amount, a day and a time. Languages are
-- tags of BCP 47, such as `de-AT`; `de_AT` and `DE-at` are the same.

-- Returns a tag in small letters with hyphens, without what a locale of POSIX has behind it (`de_AT.UTF-8`).
create or replace function builder.language_tag(language text) returns text
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$ select lower(translate(regexp_replace(btrim(language), '[.@].*', ''), '_', '-')) $$;

-- Returns the languages in which a reader gets a text, the best first (RFC 4647, 3.4): `zh-hant-tw`, `zh-hant`, `zh`, and then `en`.
create or replace function builder.languages_for(language text) returns text[]
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
  select array(
    select array_to_string(tag.parts[:size], '-')
    from (select string_to_array(builder.language_tag(language), '-') as parts) tag, generate_series(cardinality(tag.parts), 1, -1) size
  ) || 'en'::text
$$;

-- Returns the text of an event for an audience, in the best language that has one.
create or replace function builder.find_message(event text, audience text, language text) returns builder.event_messages
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select m from builder.event_messages m
  where m.event = $1 and m.audience = $2 and m.enabled and builder.language_tag(m.language) = any (builder.languages_for($3))
  order by array_position(builder.languages_for($3), builder.language_tag(m.language)), m.language limit 1
$$;

-- Returns the language that writes the amounts and times of a text: the reader's, if the text is in it, so that a text in `de`
-- has the amounts of `de-CH` for a reader there.
create or replace function builder.format_language(of_text text, of_reader text) returns text
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
  select case when builder.language_tag(of_reader) like builder.language_tag(of_text) || '-%' then of_reader else of_text end
$$;

-- Returns the language of a tag and, with a region, the language with the region (`zh-Hant-TW`: zh and zh-tw).
create or replace function builder.split_language(language text, out base text, out regional text)
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
  select split_part(tag, '-', 1), split_part(tag, '-', 1) || '-' || substring(tag from '-([a-z]{2}|[0-9]{3})(?:-|$)')
  from builder.language_tag(language) tag
$$;

-- Returns how a language writes the amount 1234.5 of a currency ¤, as Intl.NumberFormat does. A space is a no-break space, and _ a
-- narrow one. India's languages group by two digits above the thousands.
create or replace function builder.price_form(language text) returns text
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
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

-- Returns the sign of a currency. A dollar is $ only where it is the reader's own, or the only one that is meant in the language,
-- as Intl.NumberFormat does.
create or replace function builder.currency_sign(currency text, language text) returns text
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
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
$$;

-- Returns an amount in the form of a language, with at least as many decimals as its currency has (ISO 4217).
create or replace function builder.format_price(amount numeric, currency text, language text) returns text
  language plpgsql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
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
$$;

-- Returns how a language writes a day, as a template of to_char(): as Intl.DateTimeFormat does, English with the month's name.
create or replace function builder.date_form(language text) returns text
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
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

-- Returns a time in the account's time zone, or in UTC if its zone is unknown.
create or replace function builder.local_time(moment timestamp with time zone, account uuid, out at timestamp, out zone text)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
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

-- Returns a time in the form of a language, with the account's time zone. An infinite one is none. In the hour that comes twice
-- when summer time ends, the offset from UTC tells which one it is.
create or replace function builder.format_time(moment timestamp with time zone, account uuid, language text) returns text
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select to_char(local.at, builder.date_form(language) || ', HH24:MI') || ' (' || replace(local.zone, '_', ' ')
    || case when exists (
      select from unnest('{-1 hour,-30 minutes,30 minutes,1 hour}'::interval[]) later
      where (moment + later) at time zone local.zone = local.at
    ) then ', UTC' || case when local.at < moment at time zone 'UTC' then '-' else '+' end
      || to_char(greatest(local.at - moment at time zone 'UTC', moment at time zone 'UTC' - local.at), 'HH24:MI')
    else '' end || ')'
  from builder.local_time(moment, account) local where isfinite(local.at)
$$;

-- Returns a day in the form of a language. What is stored at midnight or noon in UTC is a date, which is that day everywhere; another
-- time is a day in the account's time zone.
create or replace function builder.format_day(moment timestamp with time zone, account uuid, language text) returns text
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select to_char(
    case when (utc.at)::time in ('00:00', '12:00') then utc.at else local.at end, builder.date_form(language)
  )
  from builder.local_time(moment, account) local, (select moment at time zone 'UTC' as at) utc where isfinite(local.at)
$$;
