import { ActionIcon } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import type { Resource } from '#kernel/resource.ts'
import type { QueryParams } from '../../api/client.ts'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { LazyTrigger } from '../../ui/lazy-trigger.tsx'
import { useScreenActions } from '../../ui/screen-actions.ts'
import type { ListColumn } from '../columns/columns.tsx'
import type { ListViews } from '../views/use-views.ts'
import type { ExportFormat } from './export.ts'
import { ExportButton, ICON_BUTTON_PROPS, ViewsButton } from './extras-buttons.tsx'
import css from './list-extras.module.css'

const menus = () => import('./extras-menus.tsx')
const columnsDialog = () => import('./columns-dialog.tsx')
const ViewsMenu = lazyComponent(async () => ({ default: (await menus()).ViewsMenu }))
const ExportMenu = lazyComponent(async () => ({ default: (await menus()).ExportMenu }))
const ViewDialog = lazyComponent(() => import('./view-dialog.tsx'))
const ColumnsDialog = lazyComponent(columnsDialog)

export interface ListViewAndExportMenuProps {
  readonly resource: Resource
  /** Name of the list: "Users". */
  readonly label: string
  readonly views: ListViews
  /** All available columns, the columns on screen, and the default columns. */
  readonly all: readonly ListColumn<never>[]
  readonly columns: readonly ListColumn<never>[]
  readonly usual: readonly ListColumn<never>[]
  /** Query parameters except the page. `undefined` if the list can't be exported. */
  readonly asked: QueryParams | undefined
}

/** Menus for a list's views, columns and export, each loaded on first use. */
export function ListViewAndExportMenu(props: ListViewAndExportMenuProps) {
  const { views, label } = props
  const [naming, setNaming] = useState<'new' | 'change'>()
  const [choosing, setChoosing] = useState(false)
  const { asked } = props
  const save = async (format: ExportFormat) => asked && (await menus()).saveListAsFile({ ...props, asked }, format)
  useScreenActions([
    ...(asked
      ? [
          { label: `Export ${label.toLowerCase()} as CSV`, run: () => void save('csv') },
          { label: `Export ${label.toLowerCase()} as an Excel workbook`, run: () => void save('xlsx') },
        ]
      : []),
    { label: `Choose the columns for ${label.toLowerCase()}`, run: () => setChoosing(true) },
    { label: 'Save the current list as a view', run: () => setNaming('new') },
  ])
  return (
    <div className={css.extras}>
      <LazyTrigger load={menus} closed={(wanted) => <ViewsButton views={views} {...wanted} />}>
        <ViewsMenu views={views} onName={setNaming} />
      </LazyTrigger>
      <ActionIcon
        {...ICON_BUTTON_PROPS}
        aria-label={`Columns for ${label}`}
        title="Columns"
        onPointerEnter={() => void columnsDialog()}
        onClick={() => setChoosing(true)}
      >
        <IconColumns3 size={18} aria-hidden />
      </ActionIcon>
      {props.asked && (
        <LazyTrigger load={menus} closed={(wanted) => <ExportButton label={label} {...wanted} />}>
          <ExportMenu {...props} asked={props.asked} />
        </LazyTrigger>
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

const namesOf = (columns: readonly ListColumn<never>[]) => columns.map((c) => c.key).join(',')
