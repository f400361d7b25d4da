/**
 * The headers of every request: the token, the mark that it does not come from another site, and the accepted format.
 */
export function requestHeaders(method: string, token: string | undefined): Record<string, string> {
  return {
    accept: 'application/ld+json',
    'x-requested-with': 'portal',
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    // Lists need no filter descriptions: filters are known from the declarations.
    ...(method === 'GET' ? { prefer: 'return=minimal' } : {}),
  }
}
