/** Roles of the demo users, with one user for each kind. */
export const DEMO_USER_ROLES: Readonly<Record<string, readonly string[]>> = {
  manager: [
    'ROLE_STAFF',
    'ROLE_USER_ADMIN',
    'ROLE_ROLES_ADMIN',
    'ROLE_CLIENTS_ADMIN',
    'ROLE_LEADS_ADMIN',
    'ROLE_BILLING_ADMIN',
    'ROLE_FINANCE',
    'ROLE_SALES_ADMIN',
    'ROLE_SAFETY_ADMIN',
    'ROLE_MAIL_ADMIN',
  ],
  staff: ['ROLE_STAFF'],
  'admin.brick': ['ROLE_CLIENT_ADMIN', 'ROLE_RISK_CREATE_UNRESTRICTED'],
  'worker.brick': ['ROLE_EMPLOYEE'],
  'office.brick': ['ROLE_EMPLOYEE', 'ROLE_INVOICING', 'ROLE_INVOICING_FINANCE'],
  'reseller.north': ['ROLE_RESELLER'],
}
