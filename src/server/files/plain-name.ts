import { asSeen } from '#kernel/text.ts'

const LONGEST = 255

/** The name that a file was sent under, as people see it and without its folders; where that is nothing, another one. */
export const plainName = (sent: string, otherwise = 'file'): string =>
  asSeen(
    asSeen(sent)
      .replace(/^.*[/\\]/, '')
      .slice(0, LONGEST),
  ) || otherwise
