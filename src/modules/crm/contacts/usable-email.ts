import { isEmail } from '#kernel/validate.ts'

/**
 * Returns the e-mail address if quotes and other e-mails can be sent to it; otherwise `undefined`. Some companies say
 * "no" when asked for an address, so the entry "no" is not usable.
 */
export const usableEmail = (email: string | null | undefined): string | undefined =>
  email && isEmail(email) && email.toLowerCase() !== 'no' ? email : undefined
