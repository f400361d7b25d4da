import { Button, Stack, Text } from '@mantine/core'
import type { RecordOf } from '#kernel/resource.ts'
import { RichText } from '#web/forms/inputs/rich-text.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { nameOfLink } from '#web/forms/values.ts'
import { words } from '#web/forms/words.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { packIndustry } from './industry.ts'
import { paragraphs } from './paragraphs.ts'
import type { standardStatement, task } from './statement.ts'

export type ItemResource = typeof standardStatement | typeof task
export type Item = RecordOf<typeof standardStatement> & { readonly priority?: number | null }

/** What the dialog is open for. */
export type Opened = { readonly mode: 'new' } | { readonly mode: 'edit' | 'view' | 'copy'; readonly item: Item }

const TITLES = { new: 'New Item', edit: 'Edit Item', view: 'View Item', copy: 'Copy Item' } as const

interface Props {
  readonly resource: ItemResource
  readonly open: Opened | undefined
  /** Still given while the dialog closes. */
  readonly shown: Opened
  readonly onClose: () => void
  readonly onSaved: (item: Item) => void
}

/** A statement or task: new, changed, looked at, or copied to the own library. */
export function ItemDialog({ resource, open, shown, onClose, onSaved }: Props) {
  const item = shown.mode === 'new' ? undefined : shown.item
  const fields = ['title', 'text', 'industry', ...('priority' in resource.fields ? ['priority'] : []), 'default']
  return (
    <Dialog opened={open !== undefined} onClose={onClose} title={TITLES[shown.mode]}>
      {shown.mode === 'view' ? (
        <ItemText item={shown.item} onClose={onClose} />
      ) : (
        <ResourceForm
          key={`${shown.mode} ${item?.id}`}
          resource={resource as typeof standardStatement}
          fields={fields as ('title' | 'text')[]}
          {...(shown.mode === 'edit' ? { record: shown.item } : {})}
          {...(shown.mode === 'copy' ? { defaults: { ...shown.item } } : {})}
          inputs={{
            text: ({ id, value, onChange, onBlur, error }) => (
              <div id={id} tabIndex={-1}>
                <RichText
                  label="Text (Required)"
                  required
                  value={words(value)}
                  onChange={onChange}
                  error={error}
                  {...(onBlur ? { onBlur } : {})}
                />
              </div>
            ),
          }}
          action={shown.mode === 'edit' ? 'Save' : shown.mode === 'copy' ? 'Save copy' : 'Create'}
          onCancel={onClose}
          onSaved={(saved) => {
            onSaved(saved)
            onClose()
          }}
        />
      )}
    </Dialog>
  )
}

function ItemText({ item, onClose }: { readonly item: Item; readonly onClose: () => void }) {
  const industry = nameOfLink(packIndustry, item.industry)
  return (
    <>
      <Stack gap="sm" maw="70ch">
        <Text fw={650}>{item.title}</Text>
        {paragraphs(item.text ?? '').map((p) => (
          <Text key={p}>{p}</Text>
        ))}
        <Text size="sm" c="dimmed">
          {industry ? `For ${industry}` : 'For every industry'}
          {item.default ? ', applied to new documents' : ''}
        </Text>
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onClose} data-autofocus>
          Close
        </Button>
      </DialogActions>
    </>
  )
}
