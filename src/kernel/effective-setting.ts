/** Source of a setting: the company's own, the provider's default, or built into the portal. */
export type SettingSource = 'own' | 'provider' | 'portal'

export interface EffectiveSetting<T> {
  readonly value: T
  readonly from: SettingSource
}

/** Returns the effective setting: the company's own, otherwise the provider's, otherwise the built-in one. */
export function resolveSetting<T>(
  own: T | null | undefined,
  provider: T | null | undefined,
  builtIn: T,
): EffectiveSetting<T> {
  if (own !== null && own !== undefined) return { value: own, from: 'own' }
  if (provider !== null && provider !== undefined) return { value: provider, from: 'provider' }
  return { value: builtIn, from: 'portal' }
}
