import { isEmail } from '#kernel/validate.ts'

/** Usable e-mail address for quotes and letters; some companies say "no" when asked for one. */
export const usableEmail = (email: string | null | undefined): string | undefined =>
  email && isEmail(email) && email.toLowerCase() !== 'no' ? email : undefined
