/** The part of an unsubscribe link that identifies the e-mail. */
export interface UnsubscribeToken {
  readonly clientId: number
  readonly id: number
  readonly token: string
}

/** Builds an e-mail's unsubscribe URLs: a page for recipients, and a one-click URL for mail programs. */
export function unsubscribeUrl(
  { publicUrl, host, port }: { readonly publicUrl: string | undefined; readonly host: string; readonly port: number },
  { clientId, id, token }: UnsubscribeToken,
): { readonly page: string; readonly oneClick: string } {
  const site = publicUrl ?? `http://${host}:${port}`
  const said = `${clientId}-${id}-${token}`
  return { page: `${site}/unsubscribe/${said}`, oneClick: `${site}/api/email/unsubscribe/${said}` }
}

export const unsubscribeText = (page: string): string =>
  `If you would rather not hear from us by e-mail, unsubscribe here:\n${page}`

/** Parses the token in an unsubscribe URL. Returns undefined if it is invalid. */
export function parseUnsubscribeToken(said = ''): UnsubscribeToken | undefined {
  const [, clientId, id, token] = /^(0|[1-9]\d{0,8})-([1-9]\d{0,14})-([0-9a-f]{32})$/.exec(said) ?? []
  return clientId && id && token ? { clientId: Number(clientId), id: Number(id), token } : undefined
}
