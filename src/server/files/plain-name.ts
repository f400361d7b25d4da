import { asSeen } from '#kernel/text.ts'

const LONGEST = 255

/** The uploaded file's name without folders and invisible characters, or the fallback if nothing is left. */
export const plainName = (sent: string, otherwise = 'file'): string =>
  asSeen(
    asSeen(sent)
      .replace(/^.*[/\\]/, '')
      .slice(0, LONGEST),
  ) || otherwise
