/** The hierarchy of control, best first. */
export const TIERS = [
  { value: 'eliminate', label: 'Eliminate' },
  { value: 'substitute', label: 'Substitute' },
  { value: 'engineering', label: 'Engineering' },
  { value: 'administrative', label: 'Administrative' },
  { value: 'ppe', label: 'PPE' },
] as const

export type Tier = (typeof TIERS)[number]['value']

/** The word for a tier; empty for what is none. */
export const tierLabel = (tier: unknown): string => TIERS.find((t) => t.value === tier)?.label ?? ''
