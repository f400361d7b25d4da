/** Roles by category, to be given to somebody. */
export { RolePicker } from './roles/role-picker.web.tsx'
