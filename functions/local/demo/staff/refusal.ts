/** Why a change of a quote was refused, in words for the staff. */
export interface Refusal {
  /** Whether the quote is another version than the one that was read. */
  isOutdated: boolean;
  message: string;
}

interface ServiceError {
  code: string;
  message: string;
  details?: string | null;
  hint?: string | null;
}

/** Returns the refusal of an error of supabase-js; null without one. */
export function refusalOf(error: ServiceError | null): Refusal | null {
  if (error === null) {
    return null;
  }
  // No row has this id and this `updated_at` any more.
  if (error.code === 'PGRST116') {
    return {
      isOutdated: true,
      message: 'The quote has changed meanwhile. It is shown as it is now: check it, and try again.',
    };
  }
  // The request got no response.
  if (error.code === '') {
    return {
      isOutdated: false,
      message: "The service can't be reached. Nothing was changed; what you typed is still here.",
    };
  }
  const { message, details } = error;
  return { isOutdated: error.code === 'PT409', message: [message, details].filter(Boolean).join('. ') };
}
