import type { ColourMeaning } from '../theme/meaning.ts'

interface Props {
  readonly id: string
  readonly meaning: ColourMeaning
}

/**
 * SVG fill pattern for an area: the colour for its meaning, with a texture that colour-blind readers can distinguish.
 */
export const ColourMeaningPattern = ({ id, meaning }: Props) => (
  <pattern id={id} width={8} height={8} patternUnits="userSpaceOnUse">
    <rect width={8} height={8} fill={`var(--bar-${meaning})`} />
    {meaning === 'attention' && <path d="M-2 2 2-2M0 8 8 0M6 10 10 6" stroke="var(--bar-on)" strokeWidth={1.5} />}
    {meaning === 'plain' && <circle cx={4} cy={4} r={1.25} fill="var(--bar-on)" />}
    {meaning === 'stop' && <path d="M0 4H8M4 0V8" stroke="var(--bar-on)" strokeWidth={1} />}
  </pattern>
)
