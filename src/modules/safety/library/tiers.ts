/** The hierarchy of control, most effective first. */
export const CONTROL_TIERS = [
  { value: 'eliminate', label: 'Eliminate' },
  { value: 'substitute', label: 'Substitute' },
  { value: 'engineering', label: 'Engineering' },
  { value: 'administrative', label: 'Administrative' },
  { value: 'ppe', label: 'PPE' },
] as const

export type HierarchyTier = (typeof CONTROL_TIERS)[number]['value']

/** Label of a tier; empty for an unknown one. */
export const controlTierLabel = (tier: unknown): string => CONTROL_TIERS.find((t) => t.value === tier)?.label ?? ''
