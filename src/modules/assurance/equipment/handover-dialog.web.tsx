import { Text } from '@mantine/core'
import type { SignatureValue } from '#kernel/signature.ts'
import { EMPTY_SIGNATURE, SignaturePad } from '#web/forms/inputs/signature-pad.tsx'
import { type CustomInput, ResourceForm } from '#web/forms/resource-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { equipmentHandover } from './check.ts'
import type { EquipmentItem } from './item.ts'

const SignatureInput: CustomInput = ({ value, onChange, error }) => (
  <SignaturePad
    label="Signature of the person who receives the item"
    value={(value as SignatureValue | null) ?? EMPTY_SIGNATURE}
    onChange={onChange}
    errors={{ name: undefined, strokes: typeof error === 'string' ? error : undefined }}
  />
)

const INPUTS = { signature: SignatureInput }

interface Props {
  readonly item: EquipmentItem
  readonly onClose: () => void
  readonly onSaved: () => void
}

/** Hands an item over to a person, a site or both. */
export default function HandoverDialog({ item, onClose, onSaved }: Props) {
  return (
    <Dialog opened onClose={onClose} title={`Hand over: ${item.number} ${item.name}`}>
      <Text size="sm" mb="sm">
        The person who receives the item signs with their full name. Without a person, the item has no holder.
      </Text>
      <ResourceForm
        resource={equipmentHandover}
        fields={['holder', 'site', 'notes', 'signature']}
        extra={{ item: item['@id'] }}
        inputs={INPUTS}
        wide={['notes', 'signature']}
        decided
        action="Hand over"
        done={() => 'The hand-over is recorded'}
        onCancel={onClose}
        onSaved={() => {
          onSaved()
          onClose()
        }}
      />
    </Dialog>
  )
}
