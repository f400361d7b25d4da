import '@mantine/core/styles/RadioIndicator.layer.css'
import '@mantine/core/styles/Radio.layer.css'
import { Radio, Stack } from '@mantine/core'
import page from '#web/ui/page.module.css'
import { type ChangeCategory, getChangeCategories } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import type { DocumentRecord } from '../types/record.web.ts'

interface Props {
  readonly kind: DocumentKind
  readonly former: DocumentRecord
  readonly value: ChangeCategory
  readonly onChange: (value: ChangeCategory) => void
}

/** Field for a revision's change category, which the person who completes the revision chooses. */
export const ChangeCategoryField = ({ kind, former, value, onChange }: Props) => (
  <section className={page.card}>
    <Radio.Group
      label={`Change category (compared with revision ${former.revision})`}
      description="The approver can change this."
      value={value}
      onChange={(next) => onChange(next as ChangeCategory)}
    >
      <Stack gap={4} mt="xs">
        {getChangeCategories(kind).map((o) => (
          <Radio key={o.value} value={o.value} label={o.label} />
        ))}
      </Stack>
    </Radio.Group>
  </section>
)
