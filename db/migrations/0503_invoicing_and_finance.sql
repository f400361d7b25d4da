-- Client invoicing has two roles: selling, and finance. Everybody who has invoicing keeps what they can do.
SET LOCAL ROLE stanchion_system;
UPDATE user_account SET roles = array_append(roles, 'ROLE_INVOICING_FINANCE')
  WHERE 'ROLE_INVOICING' = ANY (roles) AND NOT 'ROLE_INVOICING_FINANCE' = ANY (roles);
SET LOCAL ROLE NONE;
