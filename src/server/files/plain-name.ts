import { removeInvisibleCharacters } from '#kernel/text.ts'

const MAX_NAME_LENGTH = 255

/** The uploaded file's name without folders and invisible characters, or the fallback if nothing is left. */
export const sanitiseFileName = (sent: string, otherwise = 'file'): string =>
  removeInvisibleCharacters(
    removeInvisibleCharacters(sent)
      .replace(/^.*[/\\]/, '')
      .slice(0, MAX_NAME_LENGTH),
  ) || otherwise
