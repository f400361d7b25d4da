import { textOf } from '#kernel/text.ts'
import { useSave } from '#web/api/resources.ts'
import { AddButton, ChooseDialog } from '#web/lists/offered/choose-list.tsx'
import css from '#web/lists/offered/offered.module.css'
import { toast } from '#web/ui/toast.ts'
import type { Item } from '../statements/item-dialog.web.tsx'
import { paragraphs } from '../statements/paragraphs.ts'
import { policyArrangement, policyArrangementAll } from './arrangement.ts'

interface Props {
  readonly opened: boolean
  /** Titles already chosen. */
  readonly chosen: readonly string[]
  readonly onAdd: (made: Item) => void
  readonly onClose: () => void
}

/** All provider arrangements, shared or not. Adding one creates the client's own copy. */
export function FindMore({ opened, chosen, onAdd, onClose }: Props) {
  const save = useSave(policyArrangement)
  const add = async (title: string, description: string) => {
    try {
      onAdd((await save.mutateAsync({ values: { title, description, keepBoth: true } })) as Item)
    } catch (e) {
      toast.failed(e, () => void add(title, description))
    }
  }
  return (
    <ChooseDialog
      opened={opened}
      onClose={onClose}
      title="Find More arrangements"
      r={policyArrangementAll}
      params={{ retired: false }}
      label="Arrangements"
      draw={(row) => {
        const [title, description] = [textOf(row.title), textOf(row.description)]
        return (
          <>
            <div className={css.what}>
              <strong>{title}</strong>
              <span>{paragraphs(description).join(' ')}</span>
            </div>
            <AddButton name={title} added={chosen.includes(title)} onAdd={() => void add(title, description)} />
          </>
        )
      }}
    />
  )
}
