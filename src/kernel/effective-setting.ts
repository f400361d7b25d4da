/** Source of a setting: set by the company, set by the provider, or built into the portal. */
export type SettingSource = 'own' | 'provider' | 'portal'

export interface EffectiveSetting<T> {
  readonly value: T
  readonly from: SettingSource
}

/**
 * Returns the effective setting: the company's if set, otherwise the provider's if set, otherwise the built-in value.
 */
export function resolveSetting<T>(
  own: T | null | undefined,
  provider: T | null | undefined,
  builtIn: T,
): EffectiveSetting<T> {
  if (own !== null && own !== undefined) return { value: own, from: 'own' }
  if (provider !== null && provider !== undefined) return { value: provider, from: 'provider' }
  return { value: builtIn, from: 'portal' }
}
