import { signIn } from './supabase.ts';

/** Takes a token that `npm run token` has printed. An app with a login service has its form here. */
export function SignIn({ onSignedIn }: { onSignedIn: () => void }) {
  function submit(form: FormData) {
    signIn(String(form.get('token')));
    onSignedIn();
  }
  return (
    <main>
      <h1>Sign in</h1>
      <form action={submit}>
        <label>
          Access token <input name="token" required />
        </label>
        <button type="submit">Sign in</button>
      </form>
    </main>
  );
}
