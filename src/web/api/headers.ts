/**
 * Returns the headers for a request: the token, the header that proves that the request does not come from another
 * site, and the accepted format.
 */
export function requestHeaders(method: string, token: string | undefined): Record<string, string> {
  return {
    accept: 'application/ld+json',
    'x-requested-with': 'portal',
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    // Asks the server to omit the descriptions of a list's filters, because the client knows the filters from the
    // declarations.
    ...(method === 'GET' ? { prefer: 'return=minimal' } : {}),
  }
}
