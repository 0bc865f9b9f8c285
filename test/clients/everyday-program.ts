/** `everyday` as a program of any runtime, with the arguments url, key, token and account; it prints what it got. */
import { createClient } from '@supabase/supabase-js';
import { everyday } from './everyday.ts';

const [url = '', key = '', token = '', account = ''] = process.argv.slice(2);
const client = createClient(url, key, { accessToken: async () => token });
console.log(JSON.stringify(await everyday(client, account)));
