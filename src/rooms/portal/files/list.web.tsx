import { Relative } from '#web/dates/relative.tsx'
import { useIsPhone } from '#web/ui/is-phone.ts'
import table from '#web/ui/table.module.css'
import type { UploadedFile } from '#web/uploads/send.ts'
import { UploadsLabel } from '#web/uploads/table.tsx'
import { fileSize, UploadsName } from '#web/uploads/thumb.tsx'
import { FileActions } from './actions.web.tsx'
import type { Tree } from './data.web.ts'
import css from './manager.module.css'

interface Props {
  readonly files: readonly UploadedFile[]
  readonly folders: Tree['folders']
  readonly showFolder: boolean
}

/** The files with their small pictures, labels, and who brought them when; on a phone as cards. */
export function FileList({ files, folders, showFolder }: Props) {
  const phone = useIsPhone()
  const names = new Map(folders.map(({ folder }) => [folder['@id'], folder.name ?? '']))
  const rows = files.map((file) => ({
    file,
    name: <UploadsName file={file} />,
    label: <UploadsLabel file={file} />,
    about: (
      <>
        {file.author}, <Relative at={file.createdAt} />
      </>
    ),
    folder: names.get(file.folder ?? '') ?? '—',
    actions: <FileActions file={file} folders={folders} />,
  }))
  if (phone)
    return (
      <ul className={table.cards} aria-label="Files">
        {rows.map(({ file, name, label, about, folder, actions }) => (
          <li key={file.id}>
            <div className={css.cardHead}>
              {name}
              {actions}
            </div>
            {label}
            <span className={css.dim}>
              {about}, {fileSize(file.size)}
              {showFolder && file.folder && `, in ${folder}`}
            </span>
          </li>
        ))}
      </ul>
    )
  return (
    <div className={css.scroll}>
      <table className={table.table} aria-label="Files">
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col">Label</th>
            {showFolder && <th scope="col">Folder</th>}
            <th scope="col">Uploaded</th>
            <th scope="col">Size</th>
            <th scope="col">Actions</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ file, name, label, about, folder, actions }) => (
            <tr key={file.id}>
              <td className={css.nameCell}>{name}</td>
              <td className={css.labelCell}>{label}</td>
              {showFolder && <td>{folder}</td>}
              <td>{about}</td>
              <td className={css.size}>{fileSize(file.size)}</td>
              <td>{actions}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
