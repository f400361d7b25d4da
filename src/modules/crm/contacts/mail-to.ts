import { isEmail } from '#kernel/validate.ts'

/** E-mail address for quotes and letters; some companies answer "no" when asked for one. */
export const usableEmail = (email: string | null | undefined): string | undefined =>
  email && isEmail(email) && email.toLowerCase() !== 'no' ? email : undefined
