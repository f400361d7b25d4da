import { Textarea } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props {
  readonly label: string
  readonly value: string
  readonly onChange: (reason: string) => void
  readonly error: ReactNode
  /** Whether the field is focused initially. */
  readonly first?: boolean
}

export const REASON_REQUIRED_MESSAGE = 'Please enter a reason; the client can read it'

/** Input for the reason for working as a client's user. The client can read the reason. */
export const ImpersonationReasonField = ({ label, value, onChange, error, first = false }: Props) => (
  <Textarea
    label={`${label} (Required)`}
    description="The client can read the reason."
    autosize
    minRows={2}
    maxLength={500}
    value={value}
    onChange={(e) => onChange(e.currentTarget.value)}
    error={error}
    data-autofocus={first || undefined}
  />
)
