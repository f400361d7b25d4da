import { useSyncExternalStore } from 'react'
import { parseSignature } from '#kernel/signature.ts'
import { useActor } from '../../api/me.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { EMPTY_SIGNATURE, SignaturePad } from '../inputs/signature-pad.tsx'
import { formFieldLabel } from '../labels.ts'
import { formatPath } from '../store/path.ts'
import type { SchemaFieldInputProps } from './parts.ts'

/** Input for an answer that is a drawn or typed signature. It suggests the signed-in person's name. */
export default function SignatureInput({
  store,
  path,
  field,
  value,
  onChange,
  readOnly,
  error,
}: SchemaFieldInputProps) {
  const { name } = useActor()
  const here = formatPath(path)
  const wrong = useSyncExternalStore(store.onDerived, () =>
    JSON.stringify({ name: store.problem(`${here}.name`), strokes: store.problem(`${here}.strokes`) }),
  )
  return (
    <>
      <SignaturePad
        label={formFieldLabel(field)}
        value={parseSignature(value) ?? { ...EMPTY_SIGNATURE, name }}
        errors={JSON.parse(wrong) as { name?: string; strokes?: string }}
        readOnly={readOnly}
        onChange={onChange}
      />
      {error && <ErrorText mt={4}>{error}</ErrorText>}
    </>
  )
}
