import { textOf } from '#kernel/text.ts'
import { useSaveRecord } from '#web/api/resources.ts'
import { ChooserAddButton, RecordChooserDialog } from '#web/lists/offered/choose-list.tsx'
import css from '#web/lists/offered/offered.module.css'
import { toast } from '#web/ui/toast.ts'
import type { LibraryItem } from '../statements/item-dialog.web.tsx'
import { splitRichText } from '../statements/paragraphs.ts'
import { allPolicyArrangements, policyArrangement } from './arrangement.ts'

interface Props {
  readonly opened: boolean
  /** Titles already chosen. */
  readonly chosen: readonly string[]
  readonly onAdd: (made: LibraryItem) => void
  readonly onClose: () => void
}

/** All provider arrangements, shared or not. Adding one creates the client's own copy. */
export function FindArrangementsDialog({ opened, chosen, onAdd, onClose }: Props) {
  const save = useSaveRecord(policyArrangement)
  const add = async (title: string, description: string) => {
    try {
      onAdd((await save.mutateAsync({ values: { title, description, keepBoth: true } })) as LibraryItem)
    } catch (e) {
      toast.failed(e, () => void add(title, description))
    }
  }
  return (
    <RecordChooserDialog
      opened={opened}
      onClose={onClose}
      title="Find More arrangements"
      r={allPolicyArrangements}
      params={{ retired: false }}
      label="Arrangements"
      draw={(row) => {
        const [title, description] = [textOf(row.title), textOf(row.description)]
        return (
          <>
            <div className={css.what}>
              <strong>{title}</strong>
              <span>{splitRichText(description).join(' ')}</span>
            </div>
            <ChooserAddButton name={title} added={chosen.includes(title)} onAdd={() => void add(title, description)} />
          </>
        )
      }}
    />
  )
}
