/** What is said of a file that is larger than the portal takes. */
export const tooLarge = (name: string, limit: number): string =>
  `"${name}" is larger than ${Math.round(limit / 1024 / 1024)} MB. Please make it smaller, or split it.`

/** What is wrong with how large a file is; nothing where the portal takes it. */
export const sizeProblem = ({ name, size }: Pick<File, 'name' | 'size'>, limit: number): string | undefined =>
  size > limit ? tooLarge(name, limit) : undefined
