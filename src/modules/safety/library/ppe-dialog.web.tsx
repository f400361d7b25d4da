import { Text } from '@mantine/core'
import { useState } from 'react'
import { useList } from '#web/api/resources.ts'
import type { FieldInputProps } from '#web/forms/field-input.tsx'
import { ImageCardPicker } from '#web/forms/inputs/image-card-picker.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { availablePpe, PPE_CATEGORIES, type PpeRecord, ppe } from './ppe.ts'

interface Props {
  readonly opened: boolean
  readonly onClose: () => void
  readonly onSaved: (made: PpeRecord) => void
}

export const PpeDialog = ({ opened, onClose, onSaved }: Props) => (
  <Dialog opened={opened} onClose={onClose} title="Create PPE">
    <ResourceForm
      resource={ppe}
      fields={['name', 'description', 'image', 'isStandardCoshh']}
      wide={['image']}
      inputs={{ image: (props) => <PpeImageInput {...props} /> }}
      action="Create PPE"
      onCancel={onClose}
      onSaved={(made) => {
        onSaved(made)
        onClose()
      }}
    />
  </Dialog>
)

/** Input for the picture of protective equipment; each picture is listed once. */
export function PpeImageInput({
  value,
  onChange,
  error,
  id,
  category: first,
}: FieldInputProps & { readonly category?: string | null }) {
  const [category, setCategory] = useState<string>(first ?? PPE_CATEGORIES[0])
  const list = useList(availablePpe, { retired: false, pagination: false })
  const all = list.data?.['hydra:member']
  const inCategory = all?.filter((a) => a.category === category)
  const pictures = inCategory?.filter((a, i) => inCategory.findIndex((b) => b.image === a.image) === i)
  return (
    <div id={id} tabIndex={-1}>
      <ImageCardPicker
        label="Image (Required)"
        single
        categories={PPE_CATEGORIES.map((c) => ({ value: c, label: c }))}
        category={category}
        onCategory={setCategory}
        items={pictures?.map((a) => ({ id: a.image ?? '', name: a.label, image: a.imagePath }))}
        value={typeof value === 'string' && value ? [value] : []}
        onChange={([image]) => onChange(image ?? null)}
      />
      {error && (
        <Text size="sm" c="var(--mantine-color-error)" mt="xs">
          {error}
        </Text>
      )}
    </div>
  )
}
