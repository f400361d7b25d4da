/** The hierarchy of control, most effective first. */
export const TIERS = [
  { value: 'eliminate', label: 'Eliminate' },
  { value: 'substitute', label: 'Substitute' },
  { value: 'engineering', label: 'Engineering' },
  { value: 'administrative', label: 'Administrative' },
  { value: 'ppe', label: 'PPE' },
] as const

export type Tier = (typeof TIERS)[number]['value']

/** Label of a tier; empty for an unknown one. */
export const tierLabel = (tier: unknown): string => TIERS.find((t) => t.value === tier)?.label ?? ''
