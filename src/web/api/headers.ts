/** What the portal's pages say with every request: who asks, that another site's page can't be asking, and what they want to be told. */
export function requestHeaders(method: string, token: string | undefined): Record<string, string> {
  return {
    accept: 'application/ld+json',
    'x-requested-with': 'portal',
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    // What a list can be filtered by is known from the declarations.
    ...(method === 'GET' ? { prefer: 'return=minimal' } : {}),
  }
}
