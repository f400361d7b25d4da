/** A letter, as its way out of further ones knows it. */
export interface StoppedBy {
  readonly clientId: number
  readonly id: number
  readonly token: string
}

/** Where the recipient of a letter says that they want no more of them: a page to read, and what a mail program asks by itself. */
export function stopAddress(
  { publicUrl, host, port }: { readonly publicUrl: string | undefined; readonly host: string; readonly port: number },
  { clientId, id, token }: StoppedBy,
): { readonly page: string; readonly oneClick: string } {
  const site = publicUrl ?? `http://${host}:${port}`
  const said = `${clientId}-${id}-${token}`
  return { page: `${site}/unsubscribe/${said}`, oneClick: `${site}/api/email/unsubscribe/${said}` }
}

export const stopWords = (page: string): string =>
  `If you would rather not hear from us by e-mail, say so here:\n${page}`

/** What stands at the end of such an address; nothing for what is none. */
export function readStop(said = ''): StoppedBy | undefined {
  const [, clientId, id, token] = /^(\d{1,9})-(\d{1,15})-([0-9a-f]{32})$/.exec(said) ?? []
  return clientId && id && token ? { clientId: Number(clientId), id: Number(id), token } : undefined
}
