/** Whose word a setting is: the company's own, the provider's for whoever has none, or what the portal comes with. */
export type From = 'own' | 'provider' | 'portal'

export interface InUse<T> {
  readonly value: T
  readonly from: From
}

/** The setting that holds: the company's own, otherwise the provider's, otherwise what the portal comes with. */
export function inUse<T>(own: T | null | undefined, provider: T | null | undefined, builtIn: T): InUse<T> {
  if (own !== null && own !== undefined) return { value: own, from: 'own' }
  if (provider !== null && provider !== undefined) return { value: provider, from: 'provider' }
  return { value: builtIn, from: 'portal' }
}
