import { isEmail } from '#kernel/email.ts'

/** Where quotes and letters can go; "no" is what some companies say to being asked. */
export const mailTo = (email: string | null | undefined): string | undefined =>
  email && isEmail(email) && email.toLowerCase() !== 'no' ? email : undefined
