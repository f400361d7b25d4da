import { ActionIcon, Button, Loader, Menu, Tooltip } from '@mantine/core'
import { IconBookmark, IconChevronDown, IconColumns3, IconDownload } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { Resource } from '#kernel/resource.ts'
import type { Params } from '../../api/client.ts'
import { say } from '../../ui/say.ts'
import type { Column } from '../columns/columns.tsx'
import type { Views } from '../views/use-views.ts'
import css from './list-extras.module.css'

const menu = () => import('./views-menu.tsx')
const columnsDialog = () => import('./columns-dialog.tsx')
const ViewsMenu = lazy(menu)
const ViewDialog = lazy(() => import('./view-dialog.tsx'))
const ColumnsDialog = lazy(columnsDialog)

export interface ListExtrasProps {
  readonly resource: Resource
  /** Of the list: "Users". */
  readonly label: string
  readonly views: Views
  /** Every column that there is, those on screen, and those that the list begins with. */
  readonly all: readonly Column<never>[]
  readonly columns: readonly Column<never>[]
  readonly usual: readonly Column<never>[]
  /** What the list is asked, without the page; `undefined` where it is not exported. */
  readonly asked: Params | undefined
}

/** What every list can do beside showing its rows: views, columns, files. Each is loaded when it is first wanted. */
export function ListExtras(props: ListExtrasProps) {
  const { views } = props
  const [naming, setNaming] = useState<'new' | 'change'>()
  const [choosing, setChoosing] = useState(false)
  const [opened, setOpened] = useState(false)
  return (
    <div className={css.extras}>
      <Menu
        position="bottom-end"
        opened={opened}
        onChange={setOpened}
        width={280}
        withinPortal={false}
        withInitialFocusPlaceholder={false}
      >
        <Menu.Target>
          <Button
            variant={views.current ? 'light' : 'default'}
            size="compact-md"
            className={css.views ?? ''}
            leftSection={<IconBookmark size={16} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
            onPointerEnter={() => void menu()}
            onFocus={() => void menu()}
          >
            {views.current ? `View: ${views.current.name}${views.changed ? ', changed' : ''}` : 'Views'}
          </Button>
        </Menu.Target>
        <Menu.Dropdown aria-label="Views">
          {opened && (
            <Suspense fallback={<Loader size="sm" m="sm" />}>
              <ViewsMenu views={views} onName={setNaming} />
            </Suspense>
          )}
        </Menu.Dropdown>
      </Menu>
      <Tooltip label="Columns">
        <ActionIcon
          size={32}
          variant="default"
          aria-label={`Columns of ${props.label}`}
          onPointerEnter={() => void columnsDialog()}
          onClick={() => setChoosing(true)}
        >
          <IconColumns3 size={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
      {props.asked && <ExportMenu {...props} asked={props.asked} />}
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

const LONG = 'This is a long list. Its file is saved as soon as it is written.'
const FILES = [
  ['csv', 'As CSV'],
  ['xlsx', 'As an Excel workbook'],
] as const

function ExportMenu({ resource, label, columns, asked }: ListExtrasProps & { readonly asked: Params }) {
  const [busy, setBusy] = useState(false)
  const save = async (format: 'csv' | 'xlsx') => {
    setBusy(true)
    try {
      const { saveList } = await import('./export.ts')
      await saveList(resource, columns, asked, format, () => say.told(LONG))
    } catch (e) {
      say.failed(e, () => void save(format))
    }
    setBusy(false)
  }
  return (
    <Menu position="bottom-end" withinPortal>
      <Tooltip label="Export">
        <span>
          <Menu.Target>
            <ActionIcon size={32} variant="default" aria-label={`Export ${label}`} loading={busy}>
              <IconDownload size={18} aria-hidden />
            </ActionIcon>
          </Menu.Target>
        </span>
      </Tooltip>
      <Menu.Dropdown>
        <Menu.Label>Every row that is found, with these columns</Menu.Label>
        {FILES.map(([format, words]) => (
          <Menu.Item key={format} onClick={() => void save(format)}>
            {words}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
