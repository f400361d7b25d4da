import { Textarea } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props {
  readonly label: string
  readonly value: string
  readonly onChange: (reason: string) => void
  readonly error: ReactNode
  /** The focus begins here. */
  readonly first?: boolean
}

/** Said where nobody said why. */
export const NO_REASON = 'Please say why; the client can read it'

/** Why somebody works as a person of a client, for the client to read. */
export const ReasonField = ({ label, value, onChange, error, first = false }: Props) => (
  <Textarea
    label={`${label} (Required)`}
    description="The client can read it."
    autosize
    minRows={2}
    maxLength={500}
    value={value}
    onChange={(e) => onChange(e.currentTarget.value)}
    error={error}
    data-autofocus={first || undefined}
  />
)
