import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Violation } from '#kernel/errors.ts'
import type { SignatureValue } from '#kernel/signature.ts'
import { DialogActions } from '../../ui/dialog.tsx'
import { FormErrorText } from '../../ui/error-text.tsx'
import { useUnsavedChangesGuard } from '../../ui/unsaved.tsx'
import { SignaturePad } from './signature-pad.tsx'

export const firstMessageByField = (
  violations: readonly Pick<Violation, 'propertyPath' | 'message'>[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(violations.toReversed().map((v) => [v.propertyPath, v.message]))

interface Props {
  /** Content to sign, and the fields above the signature pad. */
  readonly children: ReactNode
  readonly label: string
  readonly given: SignatureValue
  readonly onChange: (given: SignatureValue) => void
  readonly wrong: Readonly<Record<string, string | undefined>>
  readonly busy: boolean
  /** Whether leaving the page would lose input. */
  readonly begun: boolean
  /** Message about the outcome so far. `failure` is the reason why sending failed. */
  readonly told?: string | undefined
  readonly failure?: string | undefined
  readonly actions: ReactNode
  readonly onSubmit: () => void
  readonly padClass?: string | undefined
  /** Whether the name is known and can't be edited. */
  readonly known?: boolean | undefined
  /** Whether the signature must be drawn. */
  readonly drawn?: boolean | undefined
}

export function SignatureForm(p: Props) {
  const guard = useUnsavedChangesGuard(p.begun && !p.busy)
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        p.onSubmit()
      }}
    >
      <Stack gap="md">
        {p.children}
        <div className={p.padClass}>
          <SignaturePad
            label={p.label}
            value={p.given}
            onChange={p.onChange}
            errors={{ name: p.wrong.name, strokes: p.wrong.strokes }}
            readOnly={p.busy}
            known={p.known}
            drawn={p.drawn}
          />
        </div>
        <Text role="status" size="sm">
          {p.told}
        </Text>
        {p.failure && <FormErrorText>{p.failure}</FormErrorText>}
        {guard}
        <DialogActions>{p.actions}</DialogActions>
      </Stack>
    </form>
  )
}
