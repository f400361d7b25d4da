export const fileTooLargeMessage = (name: string, limit: number): string =>
  `"${name}" is larger than ${Math.round(limit / 1024 / 1024)} MB. Please reduce its size or split it.`

/** Returns an error message if the file is too large, otherwise `undefined`. */
export const fileSizeProblem = ({ name, size }: Pick<File, 'name' | 'size'>, limit: number): string | undefined =>
  size > limit ? fileTooLargeMessage(name, limit) : undefined
