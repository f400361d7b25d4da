import { removeInvisibleCharacters } from '#kernel/text.ts'

const MAX_NAME_LENGTH = 255

/** Returns the uploaded file's name without folders and invisible characters, or the fallback if nothing remains. */
export const sanitiseFileName = (sent: string, otherwise = 'file'): string =>
  removeInvisibleCharacters(
    removeInvisibleCharacters(sent)
      .replace(/^.*[/\\]/, '')
      .slice(0, MAX_NAME_LENGTH),
  ) || otherwise
