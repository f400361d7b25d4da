import { Button, Stack, Text } from '@mantine/core'
import { type Field, labelOf } from '#kernel/fields.ts'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { toText } from '#kernel/text.ts'
import { useActor } from '#web/api/me.ts'
import type { FieldInputProps } from '#web/forms/field-input.tsx'
import { RichText } from '#web/forms/inputs/rich-text.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { linkedRecordName } from '#web/forms/values.ts'
import { formatPlainValue } from '#web/forms/words.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { LazyLibraryItemUseCount, LazyLibraryItemUses } from '../impact/item-uses.web.tsx'
import { packIndustry } from '../industry.ts'
import { splitRichText } from './paragraphs.ts'
import type { standardStatement } from './statement.ts'

/** Resource of a library item type: statements, tasks or arrangements. */
export type LibraryResource = Resource
/** Library item. Fields other than these depend on the item type. */
export type LibraryItem = Pick<RecordOf<typeof standardStatement>, '@id' | 'id' | 'title' | 'client' | 'retired'> &
  Readonly<Record<string, unknown>>

/** Returns the name of the field that contains the item's text. */
const saidIn = (resource: LibraryResource) => ('text' in resource.fields ? 'text' : 'description')
export const libraryItemText = (item: LibraryItem): string => toText(item.text ?? item.description)

/** Form fields in order. Each field is shown only if the item type has it. */
const FORM_FIELDS = ['title', 'text', 'description', 'industry', 'priority', 'default', 'shareAll'] as const

export type LibraryItemDialogMode =
  | { readonly mode: 'new' }
  | { readonly mode: 'edit' | 'view' | 'copy'; readonly item: LibraryItem }

const VERBS = { new: 'New', edit: 'Edit', view: 'View', copy: 'Copy' } as const

interface Props {
  readonly resource: LibraryResource
  /** Singular noun for dialog titles, such as "Item". */
  readonly thing: string
  readonly open: LibraryItemDialogMode | undefined
  /** Last mode in which the dialog was open, used to keep the content visible while the dialog closes. */
  readonly shown: LibraryItemDialogMode
  readonly onClose: () => void
  readonly onSaved: (item: LibraryItem) => void
}

/** Dialog to create, edit, view or copy a library item. */
export function LibraryItemDialog({ resource, thing, open, shown, onClose, onSaved }: Props) {
  const actor = useActor()
  const item = shown.mode === 'new' ? undefined : shown.item
  const declared: Readonly<Record<string, Field>> = resource.fields
  const fields = FORM_FIELDS.filter((name) => {
    const f = declared[name]
    return f && (!f.editable || hasRole(actor, f.editable))
  })
  return (
    <Dialog opened={open !== undefined} onClose={onClose} title={`${VERBS[shown.mode]} ${thing}`}>
      {shown.mode === 'view' ? (
        <ItemText item={shown.item} onClose={onClose} />
      ) : (
        <ResourceForm
          key={`${shown.mode} ${item?.id}`}
          resource={resource as typeof standardStatement}
          fields={fields as ('title' | 'text')[]}
          {...(shown.mode === 'edit' ? { record: shown.item as RecordOf<typeof standardStatement> } : {})}
          {...(shown.mode === 'copy' ? { defaults: { ...shown.item, shareAll: false } } : {})}
          inputs={{
            [saidIn(resource)]: ({ id, value, onChange, onBlur, error }: FieldInputProps) => (
              <div id={id} tabIndex={-1}>
                <RichText
                  label={`${labelOf(saidIn(resource), declared[saidIn(resource)] as Field)} (Required)`}
                  required
                  value={formatPlainValue(value)}
                  onChange={onChange}
                  error={error}
                  {...(onBlur ? { onBlur } : {})}
                />
              </div>
            ),
          }}
          action={shown.mode === 'edit' ? 'Save' : shown.mode === 'copy' ? 'Save copy' : 'Create'}
          beside={shown.mode === 'edit' && <LazyLibraryItemUseCount of={shown.item} />}
          onCancel={onClose}
          onSaved={(saved) => {
            onSaved(saved as LibraryItem)
            onClose()
          }}
        />
      )}
      {shown.mode === 'edit' && (
        <LazyLibraryItemUses of={shown.item} called={`The ${thing.toLowerCase()} “${shown.item.title}”`} />
      )}
    </Dialog>
  )
}

function ItemText({ item, onClose }: { readonly item: LibraryItem; readonly onClose: () => void }) {
  const industry = linkedRecordName(packIndustry, item.industry)
  return (
    <>
      <Stack gap="sm" maw="70ch">
        <Text fw={650}>{item.title}</Text>
        {splitRichText(libraryItemText(item)).map((p) => (
          <Text key={p}>{p}</Text>
        ))}
        {'industry' in item && (
          <Text size="sm" c="dimmed">
            {industry ? `For ${industry}` : 'For all industries'}
            {item.default ? ', included in new documents' : ''}
          </Text>
        )}
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onClose} data-autofocus>
          Close
        </Button>
      </DialogActions>
    </>
  )
}
