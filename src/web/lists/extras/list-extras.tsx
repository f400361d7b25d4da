import { ActionIcon } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import type { Resource } from '#kernel/resource.ts'
import type { Params } from '../../api/client.ts'
import { useActs } from '../../ui/acts.ts'
import { lazily } from '../../ui/lazily.tsx'
import { WhenWanted } from '../../ui/when-wanted.tsx'
import type { Column } from '../columns/columns.tsx'
import type { Views } from '../views/use-views.ts'
import type { Format } from './export.ts'
import { ExportButton, ICON, ViewsButton } from './extras-buttons.tsx'
import css from './list-extras.module.css'

const menus = () => import('./extras-menus.tsx')
const columnsDialog = () => import('./columns-dialog.tsx')
const ViewsMenu = lazily(async () => ({ default: (await menus()).ViewsMenu }))
const ExportMenu = lazily(async () => ({ default: (await menus()).ExportMenu }))
const ViewDialog = lazily(() => import('./view-dialog.tsx'))
const ColumnsDialog = lazily(columnsDialog)

export interface ListExtrasProps {
  readonly resource: Resource
  /** Name of the list: "Users". */
  readonly label: string
  readonly views: Views
  /** All available columns, those on screen, and the defaults. */
  readonly all: readonly Column<never>[]
  readonly columns: readonly Column<never>[]
  readonly usual: readonly Column<never>[]
  /** Query parameters without the page; `undefined` if the list can't be exported. */
  readonly asked: Params | undefined
}

/** Views, columns and export of a list. Each is loaded on first use. */
export function ListExtras(props: ListExtrasProps) {
  const { views, label } = props
  const [naming, setNaming] = useState<'new' | 'change'>()
  const [choosing, setChoosing] = useState(false)
  const { asked } = props
  const save = async (format: Format) => asked && (await menus()).saveAs({ ...props, asked }, format)
  useActs([
    ...(asked
      ? [
          { label: `Export ${label.toLowerCase()} as CSV`, run: () => void save('csv') },
          { label: `Export ${label.toLowerCase()} as an Excel workbook`, run: () => void save('xlsx') },
        ]
      : []),
    { label: `Choose the columns of ${label.toLowerCase()}`, run: () => setChoosing(true) },
    { label: 'Save the current list as a view', run: () => setNaming('new') },
  ])
  return (
    <div className={css.extras}>
      <WhenWanted load={menus} closed={(wanted) => <ViewsButton views={views} {...wanted} />}>
        <ViewsMenu views={views} onName={setNaming} />
      </WhenWanted>
      <ActionIcon
        {...ICON}
        aria-label={`Columns of ${label}`}
        title="Columns"
        onPointerEnter={() => void columnsDialog()}
        onClick={() => setChoosing(true)}
      >
        <IconColumns3 size={18} aria-hidden />
      </ActionIcon>
      {props.asked && (
        <WhenWanted load={menus} closed={(wanted) => <ExportButton label={label} {...wanted} />}>
          <ExportMenu {...props} asked={props.asked} />
        </WhenWanted>
      )}
      <Suspense>
        {naming && (
          <ViewDialog
            views={views}
            mode={naming}
            columns={namesOf(props.columns) === namesOf(props.usual) ? '' : namesOf(props.columns)}
            onClose={() => setNaming(undefined)}
          />
        )}
        {choosing && <ColumnsDialog {...props} onClose={() => setChoosing(false)} />}
      </Suspense>
    </div>
  )
}

const namesOf = (columns: readonly Column<never>[]) => columns.map((c) => c.key).join(',')
