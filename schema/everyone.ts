/** The account of system messages, which address everyone: no user has it. */
export const everyone = '00000000-0000-0000-0000-000000000000';
