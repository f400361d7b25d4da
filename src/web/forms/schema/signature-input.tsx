import { useSyncExternalStore } from 'react'
import { parseSignature } from '#kernel/signature.ts'
import { useMaybeMe } from '../../api/me.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { EMPTY_SIGNATURE, SignaturePad } from '../inputs/signature-pad.tsx'
import { formFieldLabel } from '../labels.ts'
import { formatPath } from '../store/path.ts'
import type { SchemaFieldInputProps } from './parts.ts'

/**
 * Input for an answer that is a drawn or typed signature. It suggests the signed-in person's name. Somebody who has not
 * signed in must draw.
 */
export default function SignatureInput({
  store,
  path,
  field,
  value,
  onChange,
  readOnly,
  error,
}: SchemaFieldInputProps) {
  const me = useMaybeMe()
  const here = formatPath(path)
  const wrong = useSyncExternalStore(store.onDerived, () =>
    JSON.stringify({ name: store.problem(`${here}.name`), strokes: store.problem(`${here}.strokes`) }),
  )
  return (
    <>
      <SignaturePad
        label={formFieldLabel(field)}
        value={parseSignature(value) ?? { ...EMPTY_SIGNATURE, name: me?.name ?? '' }}
        errors={JSON.parse(wrong) as { name?: string; strokes?: string }}
        readOnly={readOnly}
        drawn={!me}
        onChange={onChange}
      />
      {error && <ErrorText mt={4}>{error}</ErrorText>}
    </>
  )
}
