/** The hierarchy of control, best first. */
export const TIERS = [
  { value: 'eliminate', label: 'Eliminate' },
  { value: 'substitute', label: 'Substitute' },
  { value: 'engineering', label: 'Engineering' },
  { value: 'administrative', label: 'Administrative' },
  { value: 'ppe', label: 'PPE' },
] as const

/** Place in the hierarchy, from 0; what is in none comes last. */
const tierRank = (tier: unknown): number => {
  const at = TIERS.findIndex((t) => t.value === tier)
  return at < 0 ? TIERS.length : at
}

/** The word for a tier. */
export const tierLabel = (tier: unknown): string => TIERS[tierRank(tier)]?.label ?? ''

/** Controls in the order of the hierarchy, and by name within a tier; the given list is left alone. */
export const byHierarchy = <T extends { readonly tier: unknown; readonly name: string | null }>(
  controls: readonly T[],
): T[] =>
  [...controls].sort(
    (a, b) => tierRank(a.tier) - tierRank(b.tier) || (a.name ?? '').localeCompare(b.name ?? '', 'en-GB'),
  )
