/** The forms that answer an offer. Each posts the offer's number and total and the terms' digest, which name what its sender has read. */
import type { FC, PropsWithChildren } from 'hono/jsx';
import { type AnswerStatus, answerLimits, type Returned } from './answer.ts';
import type { Offer } from './offer.ts';
import { formatPrice, type Language } from './offer-language.ts';

interface Props {
  language: Language;
  shown: Offer;
  action: string;
  returned: Returned | undefined;
}

export const AnswerForms: FC<Props> = props => {
  const { language, shown, returned } = props;
  const { tag, texts } = language;
  const { total_price, currency } = shown.offer;
  const price = total_price === null ? '' : formatPrice(tag, total_price, currency);
  const isOf = (status: AnswerStatus): boolean => returned?.answer.status === status;
  return (
    <section class="answers" aria-labelledby="answer">
      <h2 id="answer">{texts.answer}</h2>
      <AnswerForm {...props} status="approved" said={texts.message} button={texts.approveThis(price)}>
        {shown.terms && <p>{texts.agree}</p>}
      </AnswerForm>
      <details open={isOf('submitted')}>
        <summary>{texts.ask}</summary>
        <AnswerForm {...props} status="submitted" said={texts.wish} button={texts.sendAsk} />
      </details>
      <details open={isOf('rejected')}>
        <summary>{texts.decline}</summary>
        <AnswerForm {...props} status="rejected" said={texts.reason} button={texts.sendDecline} />
      </details>
    </section>
  );
};

const AnswerForm: FC<
  PropsWithChildren<Props & { status: AnswerStatus; said: string; button: string }>
> = props => {
  const { language, shown, action, returned, status, said, button, children } = props;
  const { texts } = language;
  const typed = returned?.answer.status === status ? returned.answer : undefined;
  const wrong = (name: 'name' | 'said'): string | undefined => {
    const found = typed && returned?.issues.find(({ path }) => path === name);
    return found && (found.sqlstate === '23502' ? texts.missing : texts.tooLong)[name];
  };
  const described = (name: 'name' | 'said') =>
    wrong(name)
      ? { 'aria-invalid': 'true' as const, 'aria-describedby': `${status}-${name}-wrong`, autofocus: true }
      : {};
  return (
    <form method="post" action={action} class={status === 'approved' ? 'approve' : undefined}>
      <input type="hidden" name="status" value={status} />
      <input type="hidden" name="offer" value={String(shown.offer.number)} />
      <input type="hidden" name="total" value={String(shown.offer.total_price ?? '')} />
      <input type="hidden" name="terms_digest" value={shown.terms_digest} />
      <label for={`${status}-name`}>{texts.yourName}</label>
      <input
        id={`${status}-name`}
        name="name"
        autocomplete="name"
        maxlength={answerLimits.nameBytes}
        required
        value={typed?.name}
        {...described('name')}
      />
      <Wrong id={`${status}-name-wrong`} text={wrong('name')} />
      <label for={`${status}-said`}>{said}</label>
      <textarea
        id={`${status}-said`}
        name="said"
        rows={3}
        maxlength={answerLimits.saidCharacters}
        required={status !== 'approved'}
        {...described('said')}
      >
        {typed?.said}
      </textarea>
      <Wrong id={`${status}-said-wrong`} text={wrong('said')} />
      {children}
      <button type="submit">{button}</button>
    </form>
  );
};

const Wrong: FC<{ id: string; text: string | undefined }> = ({ id, text }) =>
  text === undefined ? null : (
    <p class="wrong" id={id}>
      {text}
    </p>
  );
